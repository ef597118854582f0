package dev.kermes.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reply of EXEC.
 *
 * @param isAborted whether nothing was executed because a watched key had changed
 * @param replies a result or a {@link ServerErrorException} for each command; empty when aborted
 */
public record TransactionResult(boolean isAborted, List<@Nullable Object> replies) {}
