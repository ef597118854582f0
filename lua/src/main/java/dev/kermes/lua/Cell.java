package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/** A local variable that several functions share (an upvalue). */
final class Cell {
  @Nullable Object value;
  double number;
}
