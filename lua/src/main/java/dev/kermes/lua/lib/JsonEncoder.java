package dev.kermes.lua.lib;

import dev.kermes.lua.Digits;
import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaUserdata;
import dev.kermes.lua.LuaValues;
import dev.kermes.lua.NumberText;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Encodes values as JSON. */
final class JsonEncoder {

  private static final int WORK = 16;

  private final LuaCall call;
  private final CjsonLibrary settings;
  private final ByteOutput out;

  JsonEncoder(LuaCall call, CjsonLibrary settings) {
    this.call = call;
    this.settings = settings;
    out = new ByteOutput(call);
  }

  /** A table whose elements are being written. */
  private static final class Level {
    final LuaTable table;

    /** The length of an array; 0 for an object. */
    final int length;

    int index;
    @Nullable Object key;

    Level(LuaTable table, int length) {
      this.table = table;
      this.length = length;
    }
  }

  private final ArrayDeque<Level> levels = new ArrayDeque<>();

  byte[] encode(@Nullable Object value) {
    add(value);
    for (Level level = levels.peek(); level != null; level = levels.peek()) {
      if (level.length > 0) addItem(level);
      else addField(level);
    }
    return out.toByteArray();
  }

  private LuaError error(@Nullable Object value, String why) {
    return call.error("Cannot serialise " + LuaValues.typeName(value) + ": " + why);
  }

  private void add(@Nullable Object value) {
    switch (value) {
      case null -> out.add("null");
      case LuaString string -> string(string);
      case Double number -> number(number);
      case Boolean bool -> out.add(bool ? "true" : "false");
      case LuaTable table -> open(table);
      case LuaUserdata data when data == LuaUserdata.NULL -> out.add("null");
      default -> throw error(value, "type not supported");
    }
  }

  private void number(double number) {
    boolean isValid = !Double.isNaN(number) && !Double.isInfinite(number);
    if (isValid) {
      out.add(text(number));
    } else if (settings.invalidEncoded == CjsonLibrary.INVALID_REFUSED) {
      throw error(number, "must not be NaN or Inf");
    } else if (settings.invalidEncoded == CjsonLibrary.INVALID_AS_NULL) {
      out.add("null");
    } else {
      out.add(Double.isNaN(number) ? "nan" : NumberText.text(number));
    }
  }

  private String text(double number) {
    if (settings.precision == 14) return NumberText.text(number);
    return Digits.shortest(number, settings.precision).general(settings.precision);
  }

  private void string(LuaString string) {
    out.add('"');
    for (byte b : string.bytes()) {
      if (b >= 0 && (b < ' ' || b == '"' || b == '/' || b == '\\' || b == 127)) {
        out.add(escaped(b));
      } else {
        out.add(b);
      }
    }
    out.add('"');
  }

  private static String escaped(byte b) {
    return switch (b) {
      case '\b' -> "\\b";
      case '\t' -> "\\t";
      case '\n' -> "\\n";
      case '\f' -> "\\f";
      case '\r' -> "\\r";
      case '"', '/', '\\' -> "\\" + (char) b;
      default -> String.format("\\u%04x", (int) b);
    };
  }

  private void open(LuaTable table) {
    int depth = levels.size() + 1;
    if (depth > settings.encodeDepth) {
      throw call.error("Cannot serialise, excessive nesting (" + depth + ")");
    }
    int length = Math.max(0, arrayLength(table));
    levels.push(new Level(table, length));
    out.add(length > 0 ? '[' : '{');
  }

  /** The highest index if all keys are indexes, otherwise -1. */
  private int arrayLength(LuaTable table) {
    double max = 0;
    int items = 0;
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) {
      boolean isIndex = key instanceof Double n && n >= 1 && Math.floor(n) == n;
      if (!isIndex) return -1;
      max = Math.max(max, (Double) key);
      if (++items % WORK == 0) call.spend(1);
    }
    boolean isSparse =
        settings.sparseRatio > 0
            && max > (double) items * settings.sparseRatio
            && max > settings.sparseSafe;
    if (isSparse && !settings.convertsSparse) throw error(table, "excessively sparse array");
    return isSparse ? -1 : (int) max;
  }

  private void addItem(Level level) {
    if (level.index == level.length) {
      out.add(']');
      levels.pop();
      return;
    }
    if (level.index > 0) out.add(',');
    add(level.table.get(++level.index));
  }

  private void addField(Level level) {
    boolean isFirst = level.key == null;
    Object key = level.table.nextKey(level.key);
    if (key == null) {
      out.add('}');
      levels.pop();
      return;
    }
    if (!isFirst) out.add(',');
    level.key = key;
    if (key instanceof Double number) out.add("\"" + text(number) + "\"");
    else if (key instanceof LuaString string) string(string);
    else throw error(key, "table key must be a number or string");
    out.add(':');
    add(level.table.get(key));
  }
}
