package dev.kermes.reactor;

import java.io.Serial;

/** The failure of an event or call whose key and payload type no handler accepts. */
public final class NoHandlerException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  /** Creates one for an event of this key. */
  public NoHandlerException(String key) {
    super("no handler: key=" + key);
  }
}
