package dev.kermes.lua.lib;

/** C's {@code lrand48}: a linear congruential generator of 48 bits. */
final class Drand48 {

  private static final long MULTIPLIER = 0x5deece66dL;
  private static final long INCREMENT = 0xb;
  private static final long MASK = (1L << 48) - 1;

  /** The initial state of an unseeded generator of Redis. */
  private static final long START = 0x1234abcd330eL;

  private long state = START;

  void seed(int seed) {
    state = (seed & 0xffffffffL) << 16 | 0x330e;
  }

  /** Returns a number of 31 bits. */
  int next31() {
    state = state * MULTIPLIER + INCREMENT & MASK;
    return (int) (state >>> 17);
  }
}
