package dev.kermes.server.script;

import dev.kermes.lua.Execution;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.resp.ByteText;
import org.jspecify.annotations.Nullable;

/**
 * The error that ended a script.
 *
 * @param message with its code
 * @param isCounted whether the statistics know it already, from the command that failed
 * @param source of the function that failed, such as {@code @user_script}
 */
public record ScriptFailure(String message, boolean isCounted, String source, int line) {

  static @Nullable ScriptFailure of(Execution execution) {
    if (!execution.hasFailed()) return null;
    Object error = execution.error();
    String source = execution.errorSource().toString();
    int line = execution.errorLine();
    if (!(error instanceof LuaTable table)) {
      String message = "ERR " + shown(LuaValues.toLuaString(error));
      return new ScriptFailure(message, false, source, line);
    }
    String message = table.get("err") instanceof LuaString err ? shown(err) : "ERR unknown error";
    boolean isCounted = LuaValues.isTrue(table.get("ignore_error_stats_update"));
    return new ScriptFailure(message, isCounted, source, line);
  }

  /** The message of a text that does not compile. */
  static String shown(LuaError error) {
    return shown(LuaValues.toLuaString(error.value()));
  }

  private static String shown(LuaString text) {
    return ByteText.of(text.bytes(), 0, text.length());
  }

  /** The error reply, with where it happened. */
  public String reply(String scriptName) {
    if (source.isEmpty() || line < 0) return message;
    return message + " script: " + scriptName + ", on " + source + ":" + line + ".";
  }
}
