package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * An argument could not be encoded; the command was not sent, and other commands are not affected.
 */
public final class EncodeException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public EncodeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
