package dev.kermes.server.script;

import dev.kermes.lua.Execution;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.resp.ByteText;
import org.jspecify.annotations.Nullable;

/**
 * The error that ended a script.
 *
 * @param message the message with its code
 * @param isCounted whether the statistics have already counted it with the failed command
 * @param source the chunk of the failed function, such as {@code @user_script}
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

  static String shown(LuaString text) {
    return ByteText.of(text.bytes(), 0, text.length());
  }

  /** The error reply, with the position of the error. */
  public String reply(String scriptName) {
    if (source.isEmpty() || line < 0) return message;
    return message + " script: " + scriptName + ", on " + source + ":" + line + ".";
  }
}
