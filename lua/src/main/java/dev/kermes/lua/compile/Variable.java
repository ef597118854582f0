package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;

/** A local variable. Functions that share it with others reach it through a cell. */
final class Variable {
  final LuaString name;
  boolean isCaptured;
  int register = -1;

  Variable(LuaString name) {
    this.name = name;
  }
}
