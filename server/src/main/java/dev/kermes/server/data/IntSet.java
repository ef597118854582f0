package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set of longs. All have the width that the widest of them needs: 2, 4 or 8 bytes,
 * little-endian as in Redis's intset.
 *
 * <pre>
 *   |-7|0|12|500|room|      width 2, size 4
 * </pre>
 */
public final class IntSet {

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int REDIS_HEADER = 8;

  private static final byte[] EMPTY = {};

  private byte[] bytes = EMPTY;
  private int size;

  /** Bytes per element. */
  private int width = 2;

  public IntSet() {}

  /**
   * Builds a set from Redis's own form, |bytes of each 4|count 4|integer|…|. Null if the form is
   * malformed, or the integers do not ascend or are wider than necessary.
   */
  static @Nullable IntSet ofRedis(byte[] form) {
    if (form.length < REDIS_HEADER) return null;
    IntSet set = new IntSet();
    set.width = (int) INT.get(form, 0);
    set.size = (int) INT.get(form, 4);
    boolean isKnown = set.width == 2 || set.width == 4 || set.width == 8;
    boolean isWhole = (long) set.size * set.width == form.length - REDIS_HEADER;
    if (!isKnown || !isWhole || set.size == 0) return null;
    set.bytes = Arrays.copyOfRange(form, REDIS_HEADER, form.length);
    for (int i = 1; i < set.size; i++) if (set.get(i - 1) >= set.get(i)) return null;
    int needed = Math.max(widthOf(set.get(0)), widthOf(set.get(set.size - 1)));
    return needed == set.width ? set : null;
  }

  private IntSet(IntSet other) {
    bytes = Arrays.copyOf(other.bytes, other.size * other.width);
    size = other.size;
    width = other.width;
  }

  public IntSet copy() {
    return new IntSet(this);
  }

  public int size() {
    return size;
  }

  /** The approximate size on the heap. */
  public long heapBytes() {
    return 48L + bytes.length;
  }

  /** The element with that rank, counted from the smallest. */
  public long get(int index) {
    return switch (width) {
      case 2 -> (short) SHORT.get(bytes, index * 2);
      case 4 -> (int) INT.get(bytes, index * 4);
      default -> (long) LONG.get(bytes, index * 8);
    };
  }

  private void put(int index, long value) {
    switch (width) {
      case 2 -> SHORT.set(bytes, index * 2, (short) value);
      case 4 -> INT.set(bytes, index * 4, (int) value);
      default -> LONG.set(bytes, index * 8, value);
    }
  }

  public boolean contains(long value) {
    return search(value) >= 0;
  }

  /**
   * The index of the first element from an index on that is not smaller than a value. Doubles its
   * steps, so that a walk through a set of any size costs little more than the elements it finds.
   */
  int firstFrom(long value, int from) {
    int low = from;
    int step = 1;
    while (low + step <= size && get(low + step - 1) < value) {
      low += step;
      step *= 2;
    }
    int high = Math.min(low + step, size);
    while (low < high) {
      int middle = low + high >>> 1;
      if (get(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The union of this set and another one. */
  IntSet with(IntSet other) {
    IntSet union = new IntSet();
    union.width = Math.max(width, other.width);
    union.bytes = new byte[(size + other.size) * union.width];
    int i = 0;
    int j = 0;
    while (i < size || j < other.size) {
      boolean takesOwn = j == other.size || i < size && get(i) <= other.get(j);
      long value = takesOwn ? get(i++) : other.get(j);
      if (j < other.size && other.get(j) == value) j++;
      union.put(union.size++, value);
    }
    return union.size < size + other.size ? union.copy() : union;
  }

  /** Adds a value; returns whether it was new. O(n). */
  public boolean add(long value) {
    int found = search(value);
    if (found >= 0) return false;
    if (widthOf(value) > width) widen(widthOf(value));
    open(-found - 1);
    put(-found - 1, value);
    return true;
  }

  /** Removes a value; returns whether it was in the set. O(n). */
  public boolean remove(long value) {
    int found = search(value);
    if (found < 0) return false;
    int from = (found + 1) * width;
    System.arraycopy(bytes, from, bytes, from - width, size * width - from);
    size--;
    if (size * width < bytes.length / 2) bytes = Arrays.copyOf(bytes, size * width);
    return true;
  }

  public void write(int index, RespWriter out) {
    out.bulk(get(index));
  }

  /** The index of the value, or -(its insertion index) - 1. */
  private int search(long value) {
    if (size > 0 && get(size - 1) < value) return -size - 1;
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long there = get(middle);
      if (there == value) return middle;
      if (there < value) low = middle + 1;
      else high = middle - 1;
    }
    return -low - 1;
  }

  private static int widthOf(long value) {
    if (value == (short) value) return 2;
    return value == (int) value ? 4 : 8;
  }

  private void widen(int newWidth) {
    IntSet narrow = copy();
    width = newWidth;
    bytes = new byte[(size + 1) * newWidth];
    for (int i = 0; i < size; i++) put(i, narrow.get(i));
  }

  private void open(int index) {
    int used = size * width;
    if (used + width > bytes.length) {
      bytes = Arrays.copyOf(bytes, used + width + (size >> 2) * width);
    }
    System.arraycopy(bytes, index * width, bytes, (index + 1) * width, used - index * width);
    size++;
  }
}
