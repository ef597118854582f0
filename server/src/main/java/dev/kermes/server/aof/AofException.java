package dev.kermes.server.aof;

import java.io.IOException;

/** An append only file that is damaged or truncated. */
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

  /** Returns the same error with the offset where the last complete unit ends. */
  public AofException at(long soundUpTo) {
    return new AofException(kind, what, soundUpTo);
  }

  private AofException(String kind, String message, long offset) {
    super(message + ": offset=" + offset);
    this.kind = kind;
    what = message;
    this.offset = offset;
  }

  /** The kind of error in the words of Redis, which programs search the log for. */
  public String kind() {
    return kind;
  }

  /** The offset up to which the file is sound. */
  public long offset() {
    return offset;
  }

  /** Whether the file only ends in the middle of a unit, as after a crash. */
  public boolean endsEarly() {
    return kind.equals(ENDS_EARLY);
  }
}
