package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream, as XINFO GROUPS tells of it.
 *
 * @param consumers how many it has
 * @param pending how many entries are delivered and not acknowledged
 * @param entriesRead how many entries the group has read; null where the server cannot know
 * @param lag how many entries it has still to read; null where the server cannot know
 */
public record StreamGroup(
    String name,
    long consumers,
    long pending,
    String lastDeliveredId,
    @Nullable Long entriesRead,
    @Nullable Long lag) {}
