package dev.kermes.lua.lib;

import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import org.jspecify.annotations.Nullable;

/** Fills a table with functions and constants. */
final class Library {

  private final LuaState state;
  private final LuaTable table;

  private Library(LuaState state, LuaTable table) {
    this.state = state;
    this.table = table;
  }

  /** Adds to a table that is there. */
  static Library in(LuaState state, LuaTable table) {
    return new Library(state, table);
  }

  /** A new table, as a global variable. */
  static Library global(LuaState state, String name) {
    Library library = new Library(state, state.newTable());
    state.globals().put(state.intern(name), library.table);
    return library;
  }

  Library add(String name, LuaFunction function) {
    return add(name, (Object) function);
  }

  Library add(String name, @Nullable Object value) {
    table.put(state.intern(name), value instanceof String text ? LuaString.of(text) : value);
    return this;
  }

  LuaTable table() {
    return table;
  }
}
