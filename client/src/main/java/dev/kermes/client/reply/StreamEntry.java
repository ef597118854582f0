package dev.kermes.client.reply;

import java.util.Map;

/**
 * One entry of a stream.
 *
 * @param id milliseconds-sequence
 * @param fields in the order in which they were added
 */
public record StreamEntry<K, V>(String id, Map<K, V> fields) {}
