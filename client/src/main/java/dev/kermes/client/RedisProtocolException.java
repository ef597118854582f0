package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The peer's bytes are not RESP; the connection was closed and the command may have executed. */
public final class RedisProtocolException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  RedisProtocolException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  RedisProtocolException here() {
    return new RedisProtocolException(text(), getCause());
  }
}
