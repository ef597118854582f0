package dev.kermes.server.command.keys;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The order of SORT's elements. It sorts longs, so that a comparison touches no object. Each long
 * has the first bits of an element's weight or text, and below them the element's index. Elements
 * with the same first bits are neighbors afterwards, and only these are compared whole.
 *
 * <pre>
 *   |first bits of the weight or text, inverted for DESC|index|
 * </pre>
 *
 * Even among a million elements, whose indexes take 20 bits, integers up to 2^32 have different
 * first bits. Texts are compared from the first byte on that is not the same in all of them.
 */
final class SortOrder {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final byte[] @Nullable [] NO_TEXTS = {};

  /** An element with its sort key. */
  private record Item(int index, byte[] element, double weight, byte @Nullable [] text) {}

  /** Equal numbers are ordered by their elements. */
  private static final Comparator<Item> BY_WEIGHT =
      Comparator.comparingDouble(Item::weight)
          .thenComparing(Item::element, Arrays::compareUnsigned);

  /** Equal texts keep their order, also in reverse. */
  private static final Comparator<Item> BY_TEXT =
      Comparator.comparing(
          Item::text, Comparator.nullsFirst((a, b) -> Arrays.compareUnsigned(a, b)));

  private final SortElements elements;
  private final double @Nullable [] weights;
  private final byte[] @Nullable [] texts;
  private final Comparator<Item> whole;
  private final long[] keys;
  private final long indexMask;

  private SortOrder(
      SortElements elements,
      double @Nullable [] weights,
      byte[] @Nullable [] texts,
      Comparator<Item> whole,
      boolean descending) {
    this.elements = elements;
    this.weights = weights;
    this.texts = texts;
    this.whole = descending ? whole.reversed() : whole;
    keys = new long[elements.size()];
    indexMask = Long.highestOneBit(keys.length) * 2 - 1;
    long inverted = descending ? -1 : 0;
    int same = commonPrefix(texts);
    for (int i = 0; i < keys.length; i++) {
      long bits = weights == null ? firstBits(texts[i], same) : firstBits(weights[i]);
      keys[i] = (bits ^ inverted) & ~indexMask | i;
    }
  }

  /** The indexes of the elements by their weights, none of which is NaN or -0. */
  static int[] byWeight(SortElements elements, double[] weights, boolean descending) {
    return new SortOrder(elements, weights, NO_TEXTS, BY_WEIGHT, descending).sorted();
  }

  /** The indexes of the elements by their texts; those without one are the first. */
  static int[] byText(SortElements elements, byte[] @Nullable [] texts, boolean descending) {
    return new SortOrder(elements, null, texts, BY_TEXT, descending).sorted();
  }

  /** The bits of a number, which compare as the number does. */
  private static long firstBits(double weight) {
    long bits = Double.doubleToRawLongBits(weight);
    return bits ^ bits >> 63 & Long.MAX_VALUE;
  }

  /** The eight bytes of a text from an index on; a shorter one is padded with zero bytes. */
  private static long firstBits(byte @Nullable [] text, int from) {
    long bits = 0;
    if (text != null && text.length >= from + Long.BYTES) {
      bits = (long) LONG.get(text, from);
    } else if (text != null) {
      for (int i = from; i < text.length; i++) {
        bits |= (text[i] & 0xffL) << 56 - 8 * (i - from);
      }
    }
    return bits ^ Long.MIN_VALUE; // longs are signed, bytes of texts are not
  }

  /** The number of bytes with which all texts begin. */
  private static int commonPrefix(byte[] @Nullable [] texts) {
    byte[] first = null;
    int same = 0;
    for (byte[] text : texts) {
      if (text == null) continue;
      if (first == null) {
        first = text;
        same = text.length;
      }
      int end = Math.min(same, text.length);
      int mismatch = Arrays.mismatch(first, 0, end, text, 0, end);
      same = mismatch < 0 ? end : mismatch;
    }
    return same;
  }

  private int[] sorted() {
    LongSort.sort(keys, Long.bitCount(indexMask));
    int[] sorted = new int[keys.length];
    for (int start = 0; start < keys.length; ) {
      int end = start + 1;
      while (end < keys.length && firstBitsOf(end) == firstBitsOf(start)) end++;
      if (end == start + 1) sorted[start] = index(start);
      else compareWhole(start, end, sorted);
      start = end;
    }
    return sorted;
  }

  private long firstBitsOf(int place) {
    return keys[place] & ~indexMask;
  }

  private int index(int place) {
    return (int) (keys[place] & indexMask);
  }

  /** Orders the elements of some places, whose first bits are the same. */
  private void compareWhole(int start, int end, int[] sorted) {
    Item[] items = new Item[end - start];
    for (int i = 0; i < items.length; i++) items[i] = item(index(start + i));
    Arrays.sort(items, whole);
    for (int i = 0; i < items.length; i++) sorted[start + i] = items[i].index;
  }

  private Item item(int i) {
    return weights == null
        ? new Item(i, elements.text(i), 0, texts[i])
        : new Item(i, elements.text(i), weights[i], null);
  }
}
