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

  private CommandTimeoutException(
      String message, boolean mayHaveExecuted, @Nullable Throwable cause, boolean hasStackTrace) {
    super(message, cause, hasStackTrace);
    this.mayHaveExecuted = mayHaveExecuted;
  }

  /**
   * A failure whose stack trace would only show an event loop. With traces, the failures of all
   * commands of a slow server would fill a small heap.
   */
  public static CommandTimeoutException withoutStackTrace(
      String message, boolean mayHaveExecuted, @Nullable Throwable cause) {
    return new CommandTimeoutException(message, mayHaveExecuted, cause, false);
  }

  /** False if the command never left this process, true if the server may have executed it. */
  public boolean mayHaveExecuted() {
    return mayHaveExecuted;
  }
}
