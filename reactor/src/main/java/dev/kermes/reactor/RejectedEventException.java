package dev.kermes.reactor;

import java.io.Serial;

/** Thrown if an event is not accepted: a handler's queue is full, or the reactor is closed. */
public final class RejectedEventException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  RejectedEventException(String message) {
    super(message);
  }

  static RejectedEventException queueFull(String key) {
    return new RejectedEventException("queue full: key=" + key);
  }
}
