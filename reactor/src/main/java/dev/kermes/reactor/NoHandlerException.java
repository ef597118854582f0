package dev.kermes.reactor;

import java.io.Serial;

/** Thrown for a call whose key and payload type no handler accepts. */
public final class NoHandlerException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  NoHandlerException(String key) {
    super("no handler: key=" + key);
  }
}
