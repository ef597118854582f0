package dev.kermes.server.rdb;

import java.io.IOException;

/** Bytes that no RDB file can have; the message says what is wrong, and where. */
public final class RdbException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  RdbException(String message, long offset) {
    super(message + ": offset=" + offset);
    this.offset = offset;
  }

  /** Where it was noticed, in bytes from the start. */
  public long offset() {
    return offset;
  }
}
