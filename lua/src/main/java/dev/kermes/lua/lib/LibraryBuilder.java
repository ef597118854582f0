package dev.kermes.lua.lib;

import dev.kermes.lua.LuaFunction;
import dev.kermes.lua.LuaState;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import org.jspecify.annotations.Nullable;

/** Fills a table with functions and constants. */
final class LibraryBuilder {

  private final LuaState state;
  private final LuaTable table;

  private LibraryBuilder(LuaState state, LuaTable table) {
    this.state = state;
    this.table = table;
  }

  /** Adds to an existing table. */
  static LibraryBuilder in(LuaState state, LuaTable table) {
    return new LibraryBuilder(state, table);
  }

  /** Creates a table as a global variable. */
  static LibraryBuilder global(LuaState state, String name) {
    LibraryBuilder library = new LibraryBuilder(state, state.newTable());
    state.globals().put(state.intern(name), library.table);
    return library;
  }

  LibraryBuilder add(String name, LuaFunction function) {
    return add(name, (Object) function);
  }

  LibraryBuilder add(String name, @Nullable Object value) {
    table.put(state.intern(name), value instanceof String text ? LuaString.of(text) : value);
    return this;
  }

  LuaTable table() {
    return table;
  }
}
