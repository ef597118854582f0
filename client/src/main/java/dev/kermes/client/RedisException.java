package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a command has no result. A future fails once, with exactly one of the subclasses;
 * a nil reply is not a failure.
 */
public abstract sealed class RedisException extends RuntimeException
    permits ServerErrorException,
        ConnectionLostException,
        CommandTimeoutException,
        CrossSlotException,
        QueueFullException,
        EncodeException,
        DecodeException,
        RedisProtocolException,
        CommandCancelledException,
        ClientClosedException {
  @Serial private static final long serialVersionUID = 1L;

  RedisException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** A failure without a stack trace. */
  RedisException(String message, @Nullable Throwable cause, boolean hasStackTrace) {
    super(message, cause, true, hasStackTrace);
  }

  /** The description of the failure. */
  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
