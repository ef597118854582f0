/** The append only file: its manifest, its parts, reading and appending. */
@NullMarked
package dev.kermes.server.aof;

import org.jspecify.annotations.NullMarked;
