package dev.kermes.lua;

/** Ends an execution; a script cannot catch it. */
public final class LuaStopped extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates it with the reason for the stop. */
  public LuaStopped(String message) {
    super(message, null, false, false);
  }
}
