package dev.kermes.server.aof;

import java.io.IOException;

/** An append only file that is not sound. */
public final class AofException extends IOException {

  private static final long serialVersionUID = 1;

  private final String what;
  private final long offset;
  private final boolean endsEarly;

  /** The file ends between MULTI and EXEC. */
  public static AofException insideTransaction(long offset) {
    return new AofException("the file ends in the middle of a transaction", offset, true);
  }

  /** The same where all that is sound ends earlier. */
  public AofException at(long soundUpTo) {
    return new AofException(what, soundUpTo, endsEarly);
  }

  AofException(String message, long offset, boolean endsEarly) {
    super(message + ": offset=" + offset);
    what = message;
    this.offset = offset;
    this.endsEarly = endsEarly;
  }

  /** Up to where the file is sound. */
  public long offset() {
    return offset;
  }

  /** Whether it only ends in the middle of something, as after a crash. */
  public boolean endsEarly() {
    return endsEarly;
  }
}
