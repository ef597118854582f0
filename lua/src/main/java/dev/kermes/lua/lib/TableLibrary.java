package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaValues;
import dev.kermes.lua.NativeCode;

/** The functions of {@code table}. */
public final class TableLibrary {

  private static final int WORK_ITEMS = 8;

  private static final NativeCode FOR_EACH =
      NativeCode.of(
          """
          local next, t, f = ...
          for k, v in next, t do
            local result = f(k, v)
            if result ~= nil then return result end
          end
          """);

  private static final NativeCode FOR_EACH_ITEM =
      NativeCode.of(
          """
          local n, t, f = ...
          for i = 1, n do
            local result = f(i, t[i])
            if result ~= nil then return result end
          end
          """);

  private TableLibrary() {}

  /** Defines the global {@code table}. */
  public static void open(LuaState state) {
    LibraryBuilder.global(state, "table")
        .add("concat", TableLibrary::concat)
        .add("foreach", TableLibrary::forEach)
        .add("foreachi", TableLibrary::forEachItem)
        .add("getn", call -> call.push((double) call.table(1).length()))
        .add("insert", TableLibrary::insert)
        .add("maxn", TableLibrary::maxn)
        .add("remove", TableLibrary::remove)
        .add("setn", TableLibrary::setn)
        .add("sort", Sorting::sort);
  }

  static void concat(LuaCall call) {
    LuaString separator = call.isNil(2) ? LuaString.EMPTY : call.string(2);
    LuaTable table = call.table(1);
    int from = (int) call.integer(3, 1);
    int to = call.isNil(4) ? table.length() : (int) call.integer(4);
    long length = 0;
    for (long i = from; i <= to; i++) {
      length += item(call, table, (int) i).length() + (i < to ? separator.length() : 0);
      if (i % WORK_ITEMS == 0) call.spend(1);
    }
    call.state().reserveString(length);
    call.push(LuaString.of(joined(call, table, from, to, separator.bytes(), (int) length)));
  }

  private static byte[] joined(
      LuaCall call, LuaTable table, int from, int to, byte[] separator, int length) {
    byte[] joined = new byte[length];
    int at = 0;
    for (long i = from; i <= to; i++) {
      byte[] part = item(call, table, (int) i).bytes();
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
      if (i == to) break;
      System.arraycopy(separator, 0, joined, at, separator.length);
      at += separator.length;
    }
    return joined;
  }

  private static LuaString item(LuaCall call, LuaTable table, int i) {
    Object value = table.get(i);
    if (value instanceof LuaString string) return string;
    if (value instanceof Double number) return LuaValues.toLuaString(number);
    throw call.error(
        "invalid value ("
            + LuaValues.typeName(value)
            + ") at index "
            + i
            + " in table for 'concat'");
  }

  private static void insert(LuaCall call) {
    LuaTable table = call.table(1);
    int end = table.length() + 1;
    switch (call.count()) {
      case 2 -> call.setElement(table, end, 2);
      case 3 -> {
        int position = (int) call.integer(2);
        end = Math.max(end, position);
        for (int i = end; i > position; i--) table.put(i, table.get(i - 1));
        call.spend((end - position) / WORK_ITEMS);
        call.setElement(table, position, 3);
      }
      default -> throw call.error("wrong number of arguments to 'insert'");
    }
  }

  private static void remove(LuaCall call) {
    LuaTable table = call.table(1);
    int end = table.length();
    int position = (int) call.integer(2, end);
    if (position < 1 || position > end) return;
    call.pushElement(table, position);
    for (int i = position; i < end; i++) table.put(i, table.get(i + 1));
    call.spend((end - position) / WORK_ITEMS);
    table.put(end, null);
  }

  private static void maxn(LuaCall call) {
    LuaTable table = call.table(1);
    double max = 0;
    for (Object key = table.nextKey(null); key != null; key = table.nextKey(key)) {
      if (key instanceof Double number && number > max) max = number;
    }
    call.push(max);
  }

  private static void setn(LuaCall call) {
    LuaTable unused = call.table(1);
    throw call.error("'setn' is obsolete");
  }

  private static void forEach(LuaCall call) {
    LuaTable table = call.table(1);
    Object function = call.function(2);
    call.push(call.state().closure(FOR_EACH));
    call.push((LuaFunction) BaseLibrary::next);
    call.push(table);
    call.push(function);
    call.tailCall();
  }

  private static void forEachItem(LuaCall call) {
    LuaTable table = call.table(1);
    Object function = call.function(2);
    call.push(call.state().closure(FOR_EACH_ITEM));
    call.push((double) table.length());
    call.push(table);
    call.push(function);
    call.tailCall();
  }
}
