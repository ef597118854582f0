package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Why a command has no result. A future fails once, with exactly one of the subclasses; a nil reply
 * is no failure.
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

  /** Of the same type and message, caused by this one, with the stack of the caller. */
  abstract RedisException here();

  /** {@link #getMessage}, which no subclass leaves null. */
  final String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
