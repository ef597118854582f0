/** Streams, their consumer groups and pending entries. */
@NullMarked
package dev.kermes.server.data.stream;

import org.jspecify.annotations.NullMarked;
