/** Cached replies and the connections on which servers announce that a key has changed. */
@NullMarked
package dev.kermes.client.internal.cache;

import org.jspecify.annotations.NullMarked;
