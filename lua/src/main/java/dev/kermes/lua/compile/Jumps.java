package dev.kermes.lua.compile;

import java.util.Arrays;

/** A list of jumps without a target yet. */
final class Jumps {
  private int[] places = new int[4];
  private int count;

  void add(int pc) {
    if (count == places.length) places = Arrays.copyOf(places, 2 * count);
    places[count++] = pc;
  }

  void patch(FunctionBuilder builder, int target) {
    for (int i = 0; i < count; i++) builder.patch(places[i], target);
    count = 0;
  }
}
