package dev.kermes.server.script;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaValues;
import java.util.Objects;

/** An error in the text of a script or library; the message is the error reply. */
public final class ScriptException extends Exception {

  private static final long serialVersionUID = 1;

  public ScriptException(String message) {
    super(message, null, false, false);
  }

  /** Keeps the compiler's message unchanged, since it may quote bytes that are not UTF-8. */
  ScriptException(String what, LuaError cause) {
    this(what + ScriptFailure.shown(LuaValues.toLuaString(cause.value())));
  }

  /** The error reply. */
  public String reply() {
    return Objects.requireNonNull(getMessage());
  }
}
