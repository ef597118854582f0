package dev.kermes.server.aof;

import java.io.IOException;

/** An append only file that is not sound. */
public final class AofException extends IOException {

  private static final long serialVersionUID = 1;

  private static final String ENDS_EARLY = "Unexpected end of file";

  private final String kind;
  private final String what;
  private final long offset;

  /** The file ends between MULTI and EXEC. */
  public static AofException insideTransaction(long offset) {
    return endsEarly("the file ends in the middle of a transaction", offset);
  }

  static AofException endsEarly(String message, long offset) {
    return new AofException(ENDS_EARLY, message, offset);
  }

  static AofException wrong(String message, long offset) {
    return new AofException("Bad file format", message, offset);
  }

  static AofException unknownCommand(String name, long offset) {
    return new AofException("Unknown command '" + name + "'", "no such command", offset);
  }

  /** The same where all that is sound ends earlier. */
  public AofException at(long soundUpTo) {
    return new AofException(kind, what, soundUpTo);
  }

  private AofException(String kind, String message, long offset) {
    super(message + ": offset=" + offset);
    this.kind = kind;
    what = message;
    this.offset = offset;
  }

  /** What is wrong in Redis's words, which programs look for in the log. */
  public String kind() {
    return kind;
  }

  /** Up to where the file is sound. */
  public long offset() {
    return offset;
  }

  /** Whether it only ends in the middle of something, as after a crash. */
  public boolean endsEarly() {
    return kind.equals(ENDS_EARLY);
  }
}
