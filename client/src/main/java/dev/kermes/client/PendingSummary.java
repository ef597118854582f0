package dev.kermes.client;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a group has delivered and not acknowledged, in numbers.
 *
 * @param count of all pending entries
 * @param minId the smallest pending id; null when nothing is pending
 * @param maxId the greatest pending id; null when nothing is pending
 * @param consumers how many are pending for each consumer that has any
 */
public record PendingSummary(
    long count, @Nullable String minId, @Nullable String maxId, Map<String, Long> consumers) {}
