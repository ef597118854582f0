package dev.kermes.lua;

import dev.kermes.lua.compile.Op;
import org.jspecify.annotations.Nullable;

/** The keys of metatables. */
final class MetatableKeys {

  static final LuaString INDEX = LuaString.of("__index");
  static final LuaString NEWINDEX = LuaString.of("__newindex");
  static final LuaString CALL = LuaString.of("__call");
  static final LuaString EQ = LuaString.of("__eq");
  static final LuaString LT = LuaString.of("__lt");
  static final LuaString LE = LuaString.of("__le");
  static final LuaString CONCAT = LuaString.of("__concat");
  static final LuaString LEN = LuaString.of("__len");
  static final LuaString UNM = LuaString.of("__unm");
  private static final LuaString[] ARITHMETIC = {
    LuaString.of("__add"),
    LuaString.of("__sub"),
    LuaString.of("__mul"),
    LuaString.of("__div"),
    LuaString.of("__mod"),
    LuaString.of("__pow")
  };

  private MetatableKeys() {}

  static LuaString arithmetic(int op) {
    return op == Op.UNM ? UNM : ARITHMETIC[op - Op.ADD];
  }

  static @Nullable Object of(@Nullable LuaTable metatable, LuaString event) {
    return metatable == null ? null : metatable.objectAt(metatable.findString(event));
  }
}
