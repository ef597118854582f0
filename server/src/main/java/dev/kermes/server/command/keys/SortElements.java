package dev.kermes.server.command.keys;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.Slice;

/** The elements that SORT has read, in the order of the collection. */
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

    /** Whether their order as doubles is the order as longs. */
    boolean isExact() {
      long bits = 0;
      for (long number : numbers) bits |= Math.abs(number);
      return bits >= 0 && bits < EXACT_MAX;
    }

    /** Sorts the integers themselves. */
    void sortByValue() {
      LongSort.sort(numbers);
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
