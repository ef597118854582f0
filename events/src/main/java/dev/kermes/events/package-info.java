/**
 * Durable topics: events that Redis keeps until they were handled, in order per key, at least once.
 *
 * <p>{@link dev.kermes.events.RedisEvents} appends events and brings them to the handlers of a
 * reactor.
 */
@NullMarked
package dev.kermes.events;

import org.jspecify.annotations.NullMarked;
