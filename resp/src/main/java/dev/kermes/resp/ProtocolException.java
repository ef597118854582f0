package dev.kermes.resp;

/** Thrown when the peer violates the protocol; its connection cannot be used any more. */
public final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception whose message says what was wrong in the input. */
  public ProtocolException(String message) {
    super(message);
  }
}
