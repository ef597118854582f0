package dev.kermes.reactor;

import java.io.Serial;

/** A handler's queue is full, or the reactor has been closed: the event was not accepted. */
public final class RejectedEventException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  RejectedEventException(String message) {
    super(message);
  }
}
