package dev.kermes.lua;

/**
 * An estimate of the memory of one state's values: the allocations since the last count, plus the
 * live values of that count. When the sum has doubled, the live values are counted again. Values
 * that die are included until the next count, so the sum is too high rather than too low. Counting
 * after each doubling keeps the total cost proportional to the allocations.
 */
final class MemoryEstimate {

  private static final long COUNTED_FROM = 4 << 20;

  private final LuaState state;
  private final long max;
  private long used;
  private long countAt;

  MemoryEstimate(LuaState state, long max) {
    this.state = state;
    this.max = max;
    countAt = Math.min(max, COUNTED_FROM);
  }

  LuaState state() {
    return state;
  }

  long used() {
    return used;
  }

  void add(long bytes) {
    used += bytes;
    if (used > countAt) count();
  }

  /** Must be called before a large allocation. */
  void reserve(long bytes) {
    if (used + bytes > max) {
      count();
      if (used + bytes > max) throw LuaError.outOfMemory();
    }
    add(bytes);
  }

  /** Counts the live values; fails if they exceed the limit. */
  void count() {
    used = new LiveCount().of(state);
    countAt = Math.min(max, Math.max(COUNTED_FROM, 2 * used));
    if (used > max) throw LuaError.outOfMemory();
  }
}
