package dev.kermes.client.reply;

import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream, as reported by XINFO GROUPS.
 *
 * @param consumers the number of its consumers
 * @param pending the number of entries delivered and not acknowledged
 * @param entriesRead the number of entries the group has read; null if unknown to the server
 * @param lag the number of entries still to be read; null if unknown to the server
 */
public record StreamGroup(
    String name,
    long consumers,
    long pending,
    String lastDeliveredId,
    @Nullable Long entriesRead,
    @Nullable Long lag) {}
