package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The client was closed before the reply arrived; a written command may have executed. */
public final class ClientClosedException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public ClientClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
