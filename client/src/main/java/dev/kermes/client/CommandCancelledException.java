package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The command was cancelled, or the thread that waited for it was interrupted; the thread's
 * interrupt flag is then set. A command that had already been written may still execute.
 */
public final class CommandCancelledException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public CommandCancelledException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
