package dev.kermes.client.reply;

import java.time.Duration;

/**
 * An entry that a group has delivered and not acknowledged.
 *
 * @param consumer the consumer that it was last delivered to
 * @param idle the time since then
 * @param deliveries how often it was delivered
 */
public record PendingEntry(String id, String consumer, Duration idle, long deliveries) {}
