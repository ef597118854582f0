package dev.kermes.client.reply;

import java.util.Map;

/**
 * The latency distribution of one command.
 *
 * @param calls the total number of calls
 * @param histogram for each bound in microseconds, the number of calls that took at most that long;
 *     cumulative
 */
public record LatencyHistogram(long calls, Map<Long, Long> histogram) {}
