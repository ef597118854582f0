package dev.kermes.server.data.stream;

import org.jspecify.annotations.Nullable;

/**
 * The target of trimming a stream.
 *
 * @param length the number of entries to keep; negative if trimmed by ID
 * @param minId the lowest ID to keep; null if trimmed to a length
 * @param wholeBlocks whether to stop where only a part of a block would be deleted
 * @param limit the number of entries that may be deleted; 0: any number
 * @param references the treatment of the references of consumer groups
 */
public record StreamTrim(
    long length,
    @Nullable StreamId minId,
    boolean wholeBlocks,
    long limit,
    StreamReferences references) {}
