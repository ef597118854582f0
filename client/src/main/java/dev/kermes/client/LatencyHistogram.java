package dev.kermes.client;

import java.util.Map;

/**
 * How long one command takes.
 *
 * @param calls of all times
 * @param histogram how many calls took at most so many microseconds, those of smaller buckets
 *     included
 */
public record LatencyHistogram(long calls, Map<Long, Long> histogram) {}
