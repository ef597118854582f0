package dev.kermes.server.script;

import java.util.Objects;

/** What is wrong with the text of a script or library; the message is the error reply. */
public final class ScriptException extends Exception {

  private static final long serialVersionUID = 1;

  public ScriptException(String message) {
    super(message, null, false, false);
  }

  /** The error reply. */
  public String reply() {
    return Objects.requireNonNull(getMessage());
  }
}
