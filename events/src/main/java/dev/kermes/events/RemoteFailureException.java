package dev.kermes.events;

import java.io.Serial;

/** The failure of a call at its receiver: a handler threw, or the request could not be decoded. */
public final class RemoteFailureException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  private final String type;

  RemoteFailureException(String type, String message) {
    super(type + ": " + message);
    this.type = type;
  }

  /** The name of the class of the receiver's exception. */
  public String type() {
    return type;
  }
}
