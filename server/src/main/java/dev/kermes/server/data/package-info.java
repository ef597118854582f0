/**
 * Values and the structures that they are made of. The holder of the keyspace lock owns them; they
 * have no locks of their own.
 */
@NullMarked
package dev.kermes.server.data;

import org.jspecify.annotations.NullMarked;
