package dev.kermes.server.data.stream;

import org.jspecify.annotations.Nullable;

/**
 * What a stream is trimmed to.
 *
 * @param length how many entries to keep; negative if trimmed by ID
 * @param minId what IDs to keep; null if trimmed to a length
 * @param wholeBlocks whether to stop where only a part of a block would have to go
 * @param limit how many entries may be deleted; 0: any number
 * @param references what becomes of the references of consumer groups
 */
public record StreamTrim(
    long length,
    @Nullable StreamId minId,
    boolean wholeBlocks,
    long limit,
    StreamReferences references) {}
