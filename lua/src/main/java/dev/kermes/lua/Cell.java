package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/** A local variable that functions share. */
final class Cell {
  @Nullable Object value;
  double number;
}
