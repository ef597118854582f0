package dev.kermes.events;

import java.util.List;
import java.util.Map;

/**
 * An event that a group failed to handle.
 *
 * @param partition the partition of the event
 * @param id the id of the dead letter in its partition
 * @param origin the id of the event, as handlers saw it
 * @param key the event's key, with the topic
 * @param type the name of the payload's type
 * @param payload the payload as it is stored; not copied
 * @param headers the event's headers
 * @param cause the first handler's exception, or why no handler was called
 * @param handlers the names of the handlers that failed; empty if it is not about handlers
 * @param attempts how often the first of them was called
 */
public record DeadLetter(
    int partition,
    String id,
    String origin,
    String key,
    String type,
    byte[] payload,
    Map<String, String> headers,
    String cause,
    List<String> handlers,
    int attempts) {}
