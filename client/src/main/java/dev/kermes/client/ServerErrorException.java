package dev.kermes.client;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The server replied with an error. In a batch it is the element of its command. */
public final class ServerErrorException extends RedisException {
  @Serial private static final long serialVersionUID = 1L;

  /** A failure for this reason, for custom implementations of {@link AsyncSender}. */
  public ServerErrorException(String message) {
    this(message, null);
  }

  /** Creates it; {@code message} is the server's. */
  public ServerErrorException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The first word of the message: {@code ERR}, {@code WRONGTYPE}, {@code NOAUTH}. */
  public String code() {
    String message = getMessage();
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }
}
