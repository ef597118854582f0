package dev.kermes.server.testing.comparison;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the elements of a failing list that make it fail (delta debugging). Leaves out parts, first
 * halves, then ever smaller ones down to single elements, as long as the rest still fails.
 */
public final class Shrinker {

  /** The property to keep: whether a list still fails. */
  public interface Check<T, E extends Exception> {
    boolean fails(List<T> list) throws E;
  }

  private Shrinker() {}

  /**
   * Returns a part of a failing list that also fails, in the same order. Without any one of its
   * elements it would not fail, if {@code triesMax} checks were enough to find out.
   */
  public static <T, E extends Exception> List<T> shrink(
      List<T> failing, int triesMax, Check<T, E> check) throws E {
    List<T> kept = failing;
    int size = Math.max(1, kept.size() / 2);
    int from = 0;
    boolean isSmaller = false;
    for (int tries = 0; tries < triesMax && !kept.isEmpty(); tries++) {
      List<T> rest = without(kept, from, size);
      if (check.fails(rest)) {
        kept = rest;
        isSmaller = true;
      } else {
        from += size;
      }
      if (from < kept.size()) continue;
      if (size == 1 && !isSmaller) return kept;
      size = Math.max(1, size / 2);
      from = 0;
      isSmaller = false;
    }
    return kept;
  }

  private static <T> List<T> without(List<T> list, int from, int count) {
    List<T> rest = new ArrayList<>(list.subList(0, from));
    rest.addAll(list.subList(Math.min(list.size(), from + count), list.size()));
    return rest;
  }
}
