package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/**
 * The length of a table: a border is an {@code n} with a value at n and none at n + 1, or 0 without
 * a value at 1. A table with holes has several. These methods find the one that the reference
 * implementation finds, by its two binary searches: in the array part if its last element is nil,
 * otherwise among the keys behind it.
 */
final class Border {

  private Border() {}

  /** Returns a border in an array part whose last element is nil. O(log n). */
  static int in(@Nullable Object[] array) {
    int low = 0;
    int high = array.length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (array[middle - 1] == null) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Returns a border of at least {@code size}, where the array part ends. O(log n). */
  static int beyond(LuaTable table, int size) {
    int low = size;
    int high = size + 1;
    while (isPresent(table, high)) {
      low = high;
      if (high > Integer.MAX_VALUE / 2) return byCounting(table);
      high *= 2;
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (isPresent(table, middle)) low = middle;
      else high = middle;
    }
    return low;
  }

  private static int byCounting(LuaTable table) {
    int i = 1;
    while (isPresent(table, i)) i++;
    return i - 1;
  }

  private static boolean isPresent(LuaTable table, int key) {
    return table.objectAt(table.find(key)) != null;
  }
}
