package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The peer's bytes are not RESP; the connection was closed and the command may have executed. */
public final class RedisProtocolException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public RedisProtocolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
