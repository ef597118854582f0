package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The connection went away before the reply arrived. */
public final class ConnectionLostException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  private final boolean mayHaveExecuted;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public ConnectionLostException(
      String message, boolean mayHaveExecuted, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveExecuted = mayHaveExecuted;
  }

  /** False if the command never left this process, true if the server may have executed it. */
  public boolean mayHaveExecuted() {
    return mayHaveExecuted;
  }
}
