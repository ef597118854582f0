package dev.kermes.server.migrate;

/** A target that answers with an error. */
public final class TargetException extends Exception {

  private static final long serialVersionUID = 1;

  private final String error;

  TargetException(String error) {
    super(error);
    this.error = error;
  }

  /** What it said. */
  public String error() {
    return error;
  }
}
