package dev.kermes.server.rdb;

import java.io.IOException;

/** An error in the bytes of an RDB file. The message says what is wrong, and where. */
public final class RdbException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  RdbException(String message, long offset) {
    super(message + ": offset=" + offset);
    this.offset = offset;
  }

  /** The offset from the start, in bytes, at which the error was detected. */
  public long offset() {
    return offset;
  }
}
