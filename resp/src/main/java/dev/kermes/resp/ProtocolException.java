package dev.kermes.resp;

/** The peer broke the protocol; its connection cannot be used any further. */
public final class ProtocolException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ProtocolException(String message) {
    super(message);
  }
}
