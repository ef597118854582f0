package dev.kermes.client.reply;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the entries that a group has delivered and not acknowledged.
 *
 * @param count the number of pending entries
 * @param minId the smallest pending id; null when nothing is pending
 * @param maxId the greatest pending id; null when nothing is pending
 * @param consumers the number of pending entries of each consumer that has any
 */
public record PendingSummary(
    long count, @Nullable String minId, @Nullable String maxId, Map<String, Long> consumers) {}
