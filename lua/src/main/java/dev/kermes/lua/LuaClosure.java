package dev.kermes.lua;

import dev.kermes.lua.compile.Prototype;

/** A function written in Lua: code, the variables it shares with others, and its globals. */
public final class LuaClosure {

  private static final Cell[] NO_CELLS = {};

  final Prototype code;
  final Cell[] cells;
  LuaTable globals;
  int mark;

  LuaClosure(Prototype code, LuaTable globals) {
    this.code = code;
    this.globals = globals;
    cells = code.captureCount() == 0 ? NO_CELLS : new Cell[code.captureCount()];
  }

  /** Whether scripts see it as a C function, because it is part of a library. */
  public boolean isNative() {
    return code.isNative();
  }

  /** The environment, which contains its global variables. */
  public LuaTable globals() {
    return globals;
  }

  /** Sets the table in which it looks for global variables. */
  public void globals(LuaTable table) {
    globals = table;
  }
}
