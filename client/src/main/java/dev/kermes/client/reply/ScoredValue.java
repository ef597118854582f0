package dev.kermes.client.reply;

/**
 * A member of a sorted set.
 *
 * @param value the member
 * @param score its score
 */
public record ScoredValue<V>(V value, double score) {}
