package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The command's keys are in different slots of the cluster and it cannot be split; it was not sent.
 */
public final class CrossSlotException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public CrossSlotException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
