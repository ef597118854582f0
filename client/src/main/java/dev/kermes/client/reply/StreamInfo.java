package dev.kermes.client.reply;

import org.jspecify.annotations.Nullable;

/**
 * A stream, as reported by XINFO STREAM.
 *
 * @param length the number of its entries
 * @param groups the number of its consumer groups
 * @param maxDeletedEntryId null before Redis 7
 * @param entriesAdded the number of entries added since its creation; null before Redis 7
 * @param recordedFirstEntryId null before Redis 7
 * @param firstEntry null while it is empty
 * @param lastEntry null while it is empty
 */
public record StreamInfo<K, V>(
    long length,
    long radixTreeKeys,
    long radixTreeNodes,
    String lastGeneratedId,
    @Nullable String maxDeletedEntryId,
    @Nullable Long entriesAdded,
    @Nullable String recordedFirstEntryId,
    long groups,
    @Nullable StreamEntry<K, V> firstEntry,
    @Nullable StreamEntry<K, V> lastEntry) {}
