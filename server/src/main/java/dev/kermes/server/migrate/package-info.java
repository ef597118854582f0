/** Connections to servers that take keys over. */
@NullMarked
package dev.kermes.server.migrate;

import org.jspecify.annotations.NullMarked;
