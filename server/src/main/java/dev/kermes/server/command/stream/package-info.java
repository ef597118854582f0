/** Streams and their consumer groups. */
@NullMarked
package dev.kermes.server.command.stream;

import org.jspecify.annotations.NullMarked;
