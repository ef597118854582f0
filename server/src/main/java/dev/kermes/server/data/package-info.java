/**
 * Values and the structures they are made of. Whoever holds the floor owns them; none has a lock.
 */
@NullMarked
package dev.kermes.server.data;

import org.jspecify.annotations.NullMarked;
