package dev.kermes.server.migrate;

/** An error reply of a target. */
public final class TargetException extends Exception {

  private static final long serialVersionUID = 1;

  private final String error;

  TargetException(String error) {
    super(error);
    this.error = error;
  }

  /** The text of the error. */
  public String error() {
    return error;
  }
}
