/** Readers of streams: as pages, and as a consumer of a group that calls a handler. */
@NullMarked
package dev.kermes.client.internal.stream;

import org.jspecify.annotations.NullMarked;
