package dev.kermes.bench.commands;

/**
 * The values of the variables of one connection. Most are drawn once per cycle of requests, so that
 * its requests can name the same key. Owned by one thread.
 */
final class Numbers {

  private static final int RANDOM_MAX = 1_000_000;

  private static final int PARTS_MAX = 16;

  private final Size size;
  private final long[] drawn = new long[PARTS_MAX];
  private final long connection;
  private long state;
  private long key;
  private long key2;
  private long element;
  private long element2;
  private long index;
  private long next = 1;

  Numbers(Size size, int connection) {
    this.size = size;
    this.connection = connection;
    state = connection * 0xD1B54A32D192ED03L;
    nextCycle();
  }

  /** Draws the numbers of the next cycle. */
  void nextCycle() {
    next++;
    index = 0;
    key = below(size.keys());
    key2 = below(size.keys());
    nextElement();
  }

  private void nextElement() {
    element = below(size.count());
    element2 = below(size.count());
  }

  /** Starts a repetition of a group. */
  void repeat(int repetition) {
    index = repetition;
    nextElement();
    key = below(size.keys());
  }

  /** Sets the numbers of a line of a data set. */
  void set(long newKey, long newIndex) {
    key = newKey;
    index = newIndex;
  }

  long key() {
    return key;
  }

  /** Returns to a key after a group. */
  void key(long newKey) {
    key = newKey;
  }

  /** Returns an array for the numbers of the word that is being written. */
  long[] drawn() {
    return drawn;
  }

  long value(Variable variable) {
    return switch (variable) {
      case KEY -> key;
      case KEY2 -> key2;
      case ELEMENT -> element;
      case ELEMENT2 -> element2;
      case INDEX -> index;
      case RANDOM -> below(RANDOM_MAX);
      case BIT -> below(8L * size.value());
      case NEXT -> next;
      case CONNECTION -> connection;
    };
  }

  /** SplitMix64, scaled to the range by its high half. */
  private long below(long limit) {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return Math.unsignedMultiplyHigh(z ^ (z >>> 31), limit);
  }
}
