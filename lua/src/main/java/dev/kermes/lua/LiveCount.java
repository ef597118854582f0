package dev.kermes.lua;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Sums the size of everything that a state reaches: strings, tables, functions and stacks. */
final class LiveCount {

  private static int lastMark;

  private final ArrayDeque<Object> pending = new ArrayDeque<>();
  private final int mark = nextMark();
  private long bytes;

  private static synchronized int nextMark() {
    return ++lastMark;
  }

  long of(LuaState state) {
    reach(state.globals());
    reach(state.stringMetatable());
    Coroutine co = state.execution().current();
    while (co != null) {
      reach(co);
      co = co.resumer;
    }
    while (!pending.isEmpty()) scan(pending.pop());
    return bytes;
  }

  private void reach(@Nullable Object value) {
    if (value == LuaValues.NUMBER) return; // most values of large tables
    switch (value) {
      case LuaString string when string.mark != mark -> {
        string.mark = mark;
        bytes += LuaState.STRING_BYTES + string.length();
      }
      case LuaTable table when table.mark != mark -> {
        table.mark = mark;
        pending.push(table);
      }
      case LuaClosure closure when closure.mark != mark -> {
        closure.mark = mark;
        pending.push(closure);
      }
      case Coroutine co when co.mark != mark -> {
        co.mark = mark;
        pending.push(co);
      }
      case Cell cell -> reach(cell.value);
      case null, default -> {}
    }
  }

  private void scan(Object value) {
    switch (value) {
      case LuaTable table -> scanTable(table);
      case LuaClosure closure -> scanClosure(closure);
      case Coroutine co -> scanCoroutine(co);
      default -> throw new AssertionError("nothing to scan: " + value);
    }
  }

  private void scanTable(LuaTable table) {
    bytes += table.bytes();
    reach(table.metatable());
    for (int place = 0; place < table.places(); place++) {
      Object value = table.objectAt(place);
      if (value == null) continue;
      reach(table.keyAt(place));
      reach(value);
    }
  }

  private void scanClosure(LuaClosure closure) {
    bytes += 48 + 8L * closure.cells.length;
    reach(closure.globals);
    for (Cell cell : closure.cells) reach(cell);
  }

  private void scanCoroutine(Coroutine co) {
    bytes += (long) Coroutine.SLOT_BYTES * co.values.length;
    for (int i = 0; i <= co.depth; i++) {
      reach(co.frames[i].closure);
      reach(co.frames[i].handler);
    }
    int end = co.depth < 0 ? 1 : co.liveEnd();
    for (int i = 0; i < Math.min(end, co.values.length); i++) reach(co.values[i]);
  }
}
