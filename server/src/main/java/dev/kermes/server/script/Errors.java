package dev.kermes.server.script;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Errors as scripts see them: tables with a field {@code err}. */
final class Errors {

  private Errors() {}

  /** The table of a message without a code. */
  static LuaTable of(LuaState state, String message) {
    return table(state, LuaString.of("ERR " + message));
  }

  /** The same error, to be raised. */
  static LuaError raised(LuaState state, String message) {
    return new LuaError(of(state, message));
  }

  static LuaTable table(LuaState state, LuaString codeAndMessage) {
    return state.newTable(0, 1).put(state.intern("err"), codeAndMessage);
  }

  static boolean isError(LuaState state, @Nullable Object value) {
    return value instanceof LuaTable table && table.get(state.intern("err")) != null;
  }

  /**
   * A message with its code in front: the first word of {@code -CODE message} or {@code CODE
   * message}, else ERR.
   */
  static LuaString withCode(LuaString message) {
    byte[] bytes = message.bytes();
    int from = bytes.length > 0 && bytes[0] == '-' ? 1 : 0;
    int end = bytes.length;
    while (end > from && (bytes[end - 1] == '\r' || bytes[end - 1] == '\n')) end--;
    for (int i = from; i < end; i++) if (bytes[i] == ' ') return message.slice(from, end);
    return join(LuaString.of("ERR "), message.slice(from, end));
  }

  private static LuaString join(LuaString a, LuaString b) {
    byte[] joined = Arrays.copyOf(a.bytes(), a.length() + b.length());
    System.arraycopy(b.bytes(), 0, joined, a.length(), b.length());
    return LuaString.of(joined);
  }

  /** An error that the statistics have already counted with its command. */
  static LuaTable counted(LuaState state, LuaString codeAndMessage) {
    return table(state, codeAndMessage).put(state.intern("ignore_error_stats_update"), true);
  }
}
