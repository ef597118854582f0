package dev.kermes.lua;

/**
 * How much memory the values of one state occupy, roughly: what was allocated since the last count,
 * plus what was alive then. When the sum has doubled, the living are counted anew.
 */
final class Memory {

  private static final long COUNTED_FROM = 4 << 20;

  private final LuaState state;
  private final long max;
  private long used;
  private long countAt;

  Memory(LuaState state, long max) {
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

  /** To be called before something large is allocated. */
  void reserve(long bytes) {
    if (used + bytes > max) {
      count();
      if (used + bytes > max) throw LuaError.outOfMemory();
    }
    add(bytes);
  }

  /** Counts what is alive; fails if that is too much. */
  void count() {
    used = new LiveCount().of(state);
    countAt = Math.min(max, Math.max(COUNTED_FROM, 2 * used));
    if (used > max) throw LuaError.outOfMemory();
  }
}
