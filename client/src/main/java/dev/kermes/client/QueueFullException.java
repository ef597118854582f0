package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The client's queue is full; the command was not sent. */
public final class QueueFullException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public QueueFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
