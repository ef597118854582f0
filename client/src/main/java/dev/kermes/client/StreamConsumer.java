package dev.kermes.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a group, as XINFO CONSUMERS tells of it.
 *
 * @param pending how many entries are delivered to it and not acknowledged
 * @param idle since it last asked for entries
 * @param inactive since it last got some; null if it never did, and before Redis 7.2
 */
public record StreamConsumer(
    String name, long pending, Duration idle, @Nullable Duration inactive) {}
