package dev.kermes.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What EXEC replied.
 *
 * @param isAborted whether a watched key had changed, so that nothing was executed
 * @param replies a result or a {@link ServerErrorException} for each command; empty when aborted
 */
public record TransactionResult(boolean isAborted, List<@Nullable Object> replies) {
  static final TransactionResult ABORTED = new TransactionResult(true, List.of());
}
