package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The deadline passed before the reply arrived; a late reply is dropped. */
public final class CommandTimeoutException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  private final boolean mayHaveExecuted;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public CommandTimeoutException(
      String message, boolean mayHaveExecuted, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveExecuted = mayHaveExecuted;
  }

  /** False if the command never left this process, true if the server may have executed it. */
  public boolean mayHaveExecuted() {
    return mayHaveExecuted;
  }
}
