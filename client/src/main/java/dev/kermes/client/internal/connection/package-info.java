/**
 * One connection to one server: connecting, handshake, writing, reading, time limits and
 * reconnecting. Owned by the event loop of its client.
 */
@NullMarked
package dev.kermes.client.internal.connection;

import org.jspecify.annotations.NullMarked;
