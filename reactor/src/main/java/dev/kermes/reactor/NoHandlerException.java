package dev.kermes.reactor;

import java.io.Serial;

/** A call's key matches no pattern, or no handler there wants its payload. */
public final class NoHandlerException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  NoHandlerException(String key) {
    super("no handler: key=" + key);
  }
}
