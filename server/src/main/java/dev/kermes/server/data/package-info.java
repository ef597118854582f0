/**
 * Values and the structures they are made of. The holder of the keyspace lock owns them; none has a
 * lock.
 */
@NullMarked
package dev.kermes.server.data;

import org.jspecify.annotations.NullMarked;
