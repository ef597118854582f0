package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements of up to 4,096 neighbouring indexes of a {@link RedisArray}, sorted, one word each.
 *
 * <pre>
 *   run           first 7   words |a|b|c|        indexes 7, 8, 9: no holes, no offsets
 *   scattered     offsets |7|9|200|   words |a|b|c|
 *
 *   word  ...01   an integer of 62 bits
 *         ...11   a string of up to 7 bytes, its length in bits 2 to 4, its bytes above
 *         ...10   a longer string, in texts at the same place
 * </pre>
 */
final class ArraySlice {

  static final int BITS = 12;
  static final int SIZE = 1 << BITS;

  private static final int INTEGER = 1;
  private static final int TEXT = 2;
  private static final int SHORT = 3;
  private static final int TAG_MASK = 3;

  private static final int SHORT_MAX = 7;
  private static final int INTEGER_BITS = 62;
  private static final int CAPACITY_MIN = 4;

  /** The object headers, the fields and the array of words without its elements. */
  private static final int FIXED_BYTES = 72;

  private static final int ARRAY_HEADER = 16;

  /** The indexes of the slice divided by 4,096. */
  final long id;

  private long[] words = new long[CAPACITY_MIN];

  /** Offsets of the elements within the slice; null while they are a run from {@link #first}. */
  private short @Nullable [] offsets;

  private byte @Nullable [] @Nullable [] texts;
  private int first;
  private int count;
  private long textBytes;

  ArraySlice(long id) {
    this.id = id;
  }

  ArraySlice copy() {
    ArraySlice copy = new ArraySlice(id);
    copy.words = Arrays.copyOf(words, Math.max(CAPACITY_MIN, count));
    copy.offsets = offsets == null ? null : Arrays.copyOf(offsets, copy.words.length);
    copy.texts = texts == null ? null : Arrays.copyOf(texts, copy.words.length);
    copy.first = first;
    copy.count = count;
    copy.textBytes = textBytes;
    return copy;
  }

  int count() {
    return count;
  }

  int capacity() {
    return words.length;
  }

  boolean isRun() {
    return offsets == null;
  }

  long heapBytes() {
    long perElement = 8L + (offsets == null ? 0 : 2) + (texts == null ? 0 : 4);
    return FIXED_BYTES + perElement * words.length + textBytes;
  }

  // Places

  /** The offset within the slice of the element at a place. */
  int offset(int place) {
    return offsets == null ? first + place : offsets[place];
  }

  int lastOffset() {
    return offset(count - 1);
  }

  /** The place of the element at an offset; if there is none, -1 minus the place it would have. */
  int place(int offset) {
    if (offsets != null) return Arrays.binarySearch(offsets, 0, count, (short) offset);
    if (offset < first || count == 0) return -1;
    return offset < first + count ? offset - first : -1 - count;
  }

  /** The first place at or after an offset. */
  int placeFrom(int offset) {
    int place = place(offset);
    return place >= 0 ? place : -1 - place;
  }

  // Writing

  /** Sets the element at an offset; returns whether the offset was empty. */
  boolean set(int offset, byte[] array, int from, int length) {
    int place = place(offset);
    boolean isNew = place < 0;
    if (isNew) {
      place = -1 - place;
      open(place, offset);
    } else {
      forgetText(place);
    }
    words[place] = encode(place, array, from, length);
    return isNew;
  }

  private void open(int place, int offset) {
    boolean staysRun = offsets == null && (count == 0 || isNextToRun(offset));
    if (!staysRun && offsets == null) scatter();
    if (count == words.length) resize(Math.min(SIZE, count + Math.max(CAPACITY_MIN, count / 2)));
    System.arraycopy(words, place, words, place + 1, count - place);
    if (texts != null) {
      System.arraycopy(texts, place, texts, place + 1, count - place);
      texts[place] = null;
    }
    if (offsets != null) {
      System.arraycopy(offsets, place, offsets, place + 1, count - place);
      offsets[place] = (short) offset;
    } else if (place == 0) {
      first = offset;
    }
    count++;
    if (offsets != null && offsets[count - 1] - offsets[0] == count - 1) gather();
  }

  private boolean isNextToRun(int offset) {
    return offset == first - 1 || offset == first + count;
  }

  /** Changes from a run to offsets. */
  private void scatter() {
    short[] explicit = new short[words.length];
    for (int i = 0; i < count; i++) explicit[i] = (short) (first + i);
    offsets = explicit;
  }

  /** Changes from offsets without a hole to a run. */
  private void gather() {
    if (offsets != null) first = offsets[0];
    offsets = null;
  }

  private void resize(int capacity) {
    words = Arrays.copyOf(words, capacity);
    if (offsets != null) offsets = Arrays.copyOf(offsets, capacity);
    if (texts != null) texts = Arrays.copyOf(texts, capacity);
  }

  /** Removes the elements at the places from {@code from} up to, but not including, {@code to}. */
  void remove(int from, int to) {
    if (from == to) return;
    for (int place = from; place < to; place++) forgetText(place);
    boolean staysRun = offsets == null && (from == 0 || to == count);
    if (!staysRun && offsets == null) scatter();
    int moved = count - to;
    System.arraycopy(words, to, words, from, moved);
    if (offsets != null) System.arraycopy(offsets, to, offsets, from, moved);
    else if (from == 0) first += to;
    if (texts != null) {
      System.arraycopy(texts, to, texts, from, moved);
      Arrays.fill(texts, from + moved, count, null);
    }
    count -= to - from;
    if (words.length > 4 * Math.max(CAPACITY_MIN, count)) resize(2 * Math.max(2, count));
    if (offsets != null && count > 0 && lastOffset() - offsets[0] == count - 1) gather();
  }

  private void forgetText(int place) {
    byte[] text = texts == null ? null : texts[place];
    if (texts == null || text == null) return;
    textBytes -= ARRAY_HEADER + text.length;
    texts[place] = null;
  }

  // Words

  private long encode(int place, byte[] array, int from, int length) {
    if (Decimals.isLong(array, from, length)) {
      long value = Decimals.parseLong(array, from, length);
      long shifted = value << Long.SIZE - INTEGER_BITS;
      if (shifted >> Long.SIZE - INTEGER_BITS == value) return shifted | INTEGER;
    }
    if (length <= SHORT_MAX) return encodeShort(array, from, length);
    if (texts == null) texts = new byte[words.length][];
    texts[place] = Arrays.copyOfRange(array, from, from + length);
    textBytes += ARRAY_HEADER + length;
    return TEXT;
  }

  private static long encodeShort(byte[] array, int from, int length) {
    long word = SHORT | (long) length << 2;
    for (int i = 0; i < length; i++) word |= (array[from + i] & 0xffL) << 8 * (i + 1);
    return word;
  }

  void write(int place, RespWriter out) {
    long word = words[place];
    if ((word & TAG_MASK) == INTEGER) out.bulk(word >> Long.SIZE - INTEGER_BITS);
    else visit(place, out::bulk);
  }

  void visit(int place, BytesVisitor visitor) {
    long word = words[place];
    switch ((int) word & TAG_MASK) {
      case INTEGER -> {
        byte[] digits = new byte[20];
        visitor.visit(digits, 0, Decimals.put(digits, 0, word >> Long.SIZE - INTEGER_BITS));
      }
      case SHORT -> {
        byte[] bytes = new byte[SHORT_MAX];
        for (int i = 0; i < SHORT_MAX; i++) bytes[i] = (byte) (word >>> 8 * (i + 1));
        visitor.visit(bytes, 0, (int) (word >>> 2) & 7);
      }
      default -> {
        byte[] text = texts == null ? null : texts[place];
        if (text == null) throw new AssertionError("no text at " + place);
        visitor.visit(text, 0, text.length);
      }
    }
  }
}
