package dev.kermes.client.reply;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a group, as reported by XINFO CONSUMERS.
 *
 * @param pending the number of entries delivered to it and not acknowledged
 * @param idle the time since it last asked for entries
 * @param inactive the time since it last got some; null if it never did, and before Redis 7.2
 */
public record StreamConsumer(
    String name, long pending, Duration idle, @Nullable Duration inactive) {}
