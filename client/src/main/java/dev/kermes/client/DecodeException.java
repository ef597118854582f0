package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The reply arrived but the decoder did not expect it; the command has been executed. */
public final class DecodeException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public DecodeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
