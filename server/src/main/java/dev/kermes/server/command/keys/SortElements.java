package dev.kermes.server.command.keys;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.Slice;

/**
 * A copy of the elements that SORT has read, in the order of the collection until it sorts them.
 */
sealed interface SortElements {

  int size();

  /** The bytes of an element's text. */
  int length(int index);

  /** Copies an element's text to that place. */
  void put(int index, byte[] to, int at);

  void write(int index, RespWriter reply);

  void pushTo(RedisList list, int index, Call call);

  default byte[] text(int index) {
    byte[] text = new byte[length(index)];
    put(index, text, 0);
    return text;
  }

  /** Integers only, which need no text to be sorted. */
  record Integers(long[] numbers) implements SortElements {

    /** The longs up to this are exact as doubles, so that different ones have different weights. */
    private static final long EXACT_MAX = 1L << 53;

    /** 15: with zeros appended up to that many digits, an integer is far from overflow. */
    private static final int DIGITS_MAX = 15;

    private static final int DIGITS_BITS = 4;

    private static final long[] POWERS_OF_TEN = new long[DIGITS_MAX + 1];

    static {
      POWERS_OF_TEN[0] = 1;
      for (int i = 1; i <= DIGITS_MAX; i++) POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
    }

    /** Sorts the integers themselves; false if they have to be sorted as doubles. */
    boolean sortByValue() {
      for (long number : numbers) {
        if (number >= EXACT_MAX || number <= -EXACT_MAX) return false;
      }
      LongSort.sort(numbers);
      return true;
    }

    /**
     * Sorts the integers as their texts; false if some are too long for it. Zeros are appended to
     * the shorter ones, and below them is the number of digits:
     *
     * <pre>
     *   12, 120, 5    |120|2| &lt; |120|3| &lt; |500|1|      negative ones are before all others
     * </pre>
     */
    boolean sortByText() {
      int digitsMax = 0;
      for (long number : numbers) digitsMax = Math.max(digitsMax, digits(number));
      if (digitsMax > DIGITS_MAX) return false;
      long zero = POWERS_OF_TEN[digitsMax] << DIGITS_BITS;
      for (int i = 0; i < numbers.length; i++) {
        int digits = digits(numbers[i]);
        long aligned = Math.abs(numbers[i]) * POWERS_OF_TEN[digitsMax - digits];
        numbers[i] = (numbers[i] < 0 ? 0 : zero) + (aligned << DIGITS_BITS | digits);
      }
      LongSort.sort(numbers);
      for (int i = 0; i < numbers.length; i++) {
        long key = numbers[i] < zero ? numbers[i] : numbers[i] - zero;
        int digits = (int) key & (1 << DIGITS_BITS) - 1;
        long magnitude = (key >> DIGITS_BITS) / POWERS_OF_TEN[digitsMax - digits];
        numbers[i] = numbers[i] < zero ? -magnitude : magnitude;
      }
      return true;
    }

    private static int digits(long number) {
      return Decimals.length(Math.abs(number));
    }

    @Override
    public int size() {
      return numbers.length;
    }

    @Override
    public int length(int index) {
      return Decimals.length(numbers[index]);
    }

    @Override
    public void put(int index, byte[] to, int at) {
      int unused = Decimals.put(to, at, numbers[index]);
    }

    @Override
    public void write(int index, RespWriter reply) {
      reply.bulk(numbers[index]);
    }

    @Override
    public void pushTo(RedisList list, int index, Call call) {
      list.pushTail(numbers[index], call.limits());
    }
  }

  /** Any texts. */
  record Texts(byte[][] texts) implements SortElements {

    @Override
    public int size() {
      return texts.length;
    }

    @Override
    public int length(int index) {
      return texts[index].length;
    }

    @Override
    public void put(int index, byte[] to, int at) {
      System.arraycopy(texts[index], 0, to, at, texts[index].length);
    }

    @Override
    public byte[] text(int index) {
      return texts[index];
    }

    @Override
    public void write(int index, RespWriter reply) {
      reply.bulk(texts[index]);
    }

    @Override
    public void pushTo(RedisList list, int index, Call call) {
      list.pushTail(Slice.of(texts[index]), call.limits());
    }
  }
}
