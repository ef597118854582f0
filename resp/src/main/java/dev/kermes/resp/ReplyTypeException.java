package dev.kermes.resp;

import java.io.Serial;

/**
 * Thrown when a reply is not of the type that its reader asked for; the stream itself is intact.
 */
public final class ReplyTypeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the exception; {@code message} tells the expected and the actual type. */
  public ReplyTypeException(String message) {
    super(message);
  }
}
