package dev.kermes.server.script;

import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.resp.RespWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a command as a Lua value.
 *
 * <pre>
 *   :1     1                 +OK    {ok='OK'}            -ERR x   {err='ERR x', ...}
 *   $1     'a'               $-1    false                *2       {1, 2}
 *   _      nil               #t     true                 ,1.5     {double=1.5}
 *   %1     {map={k=v}}       ~1     {set={m=true}}       =5       {verbatim_string={...}}
 * </pre>
 *
 * The reply is our own, so it is not validated. Reused from reply to reply.
 */
final class ReplyToLua {

  private final LuaState state;
  private RespWriter reply = new RespWriter(0);
  private byte[] bytes = {};
  private int at;
  private int shared;

  ReplyToLua(LuaState state) {
    this.state = state;
  }

  @Nullable Object value(RespWriter from) {
    reply = from;
    bytes = from.bytes();
    at = 0;
    shared = 0;
    return value();
  }

  private @Nullable Object value() {
    byte type = bytes[at++];
    return switch (type) {
      case '$' -> bulk();
      case ':' -> (double) integer();
      case '*', '>' -> array();
      case '+' -> field("ok", line());
      case '-' -> Errors.counted(state, line());
      case '_' -> {
        at += 2;
        yield null;
      }
      case '#' -> {
        at += 3;
        yield bytes[at - 3] == 't';
      }
      case ',' -> field("double", Double.valueOf(doubleValue()));
      case '(' -> field("big_number", line());
      case '=' -> verbatim();
      case '%' -> map();
      case '~' -> set();
      case '|' -> afterAttributes();
      default -> throw new AssertionError("not a reply: type=" + (char) type);
    };
  }

  private LuaTable field(String name, Object value) {
    return state.newTable(0, 1).put(state.intern(name), value);
  }

  private long integer() {
    boolean isNegative = bytes[at] == '-';
    if (isNegative) at++;
    long value = 0;
    for (; bytes[at] != '\r'; at++) value = 10 * value - (bytes[at] - '0');
    at += 2;
    return isNegative ? value : -value;
  }

  private LuaString line() {
    int from = at;
    while (bytes[at] != '\r') at++;
    LuaString line = string(bytes, from, at - from);
    at += 2;
    return line;
  }

  private LuaString string(byte[] array, int offset, int length) {
    state.reserveString(length);
    return LuaString.of(Arrays.copyOfRange(array, offset, offset + length));
  }

  private double doubleValue() {
    String text = new String(line().bytes(), StandardCharsets.US_ASCII);
    return switch (text) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  private Object bulk() {
    int length = (int) integer();
    if (length < 0) return false;
    return payload(length);
  }

  /** Copies a payload, parts of which may be in separate arrays of the reply if it is long. */
  private LuaString payload(int length) {
    state.reserveString(length);
    byte[] payload = new byte[length];
    for (int done = 0; done < length; ) {
      if (shared < reply.sharedCount() && reply.shared(shared).position() == at) {
        RespWriter.Shared piece = reply.shared(shared++);
        System.arraycopy(piece.array(), piece.offset(), payload, done, piece.length());
        done += piece.length();
      } else {
        System.arraycopy(bytes, at, payload, done, length - done);
        at += length - done;
        done = length;
      }
    }
    at += 2;
    return LuaString.of(payload);
  }

  private Object array() {
    int count = (int) integer();
    if (count < 0) return false;
    LuaTable table = state.newTable(count, 0);
    for (int i = 1; i <= count; i++) table.put(i, value());
    return table;
  }

  private LuaTable verbatim() {
    LuaString payload = payload((int) integer());
    LuaTable parts = state.newTable(0, 2);
    parts.put(state.intern("format"), payload.slice(0, 3));
    parts.put(state.intern("string"), payload.slice(4, payload.length()));
    return field("verbatim_string", parts);
  }

  private LuaTable map() {
    int count = (int) integer();
    LuaTable map = state.newTable(0, count);
    for (int i = 0; i < count; i++) {
      Object key = value();
      Object value = value();
      if (key != null) map.put(key, value);
    }
    return field("map", map);
  }

  private @Nullable Object afterAttributes() {
    for (long i = 2 * integer(); i > 0; i--) {
      Object unused = value();
    }
    return value();
  }

  private LuaTable set() {
    int count = (int) integer();
    LuaTable set = state.newTable(0, count);
    for (int i = 0; i < count; i++) {
      Object member = value();
      if (member != null) set.put(member, true);
    }
    return field("set", set);
  }
}
