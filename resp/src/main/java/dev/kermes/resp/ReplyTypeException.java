package dev.kermes.resp;

import java.io.Serial;

/** A reply is not of the kind that its reader asked for; the stream itself is in order. */
public final class ReplyTypeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** A mismatch described by {@code message}: what was expected and what was found. */
  public ReplyTypeException(String message) {
    super(message);
  }
}
