package dev.kermes.client;

import org.jspecify.annotations.Nullable;

/**
 * A stream, as XINFO STREAM tells of it.
 *
 * @param length how many entries it has
 * @param groups how many consumer groups it has
 * @param maxDeletedEntryId null before Redis 7
 * @param entriesAdded since the stream was created; null before Redis 7
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
