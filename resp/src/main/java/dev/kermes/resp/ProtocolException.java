package dev.kermes.resp;

import java.io.Serial;

/**
 * A breach of the protocol: the stream cannot be understood from here on and must be closed. The
 * message says what was found, where it stands in the stream and, for limits, the limit.
 */
public final class ProtocolException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** A breach described by {@code message}; the position, when known, belongs into the message. */
  public ProtocolException(String message) {
    super(message);
  }
}
