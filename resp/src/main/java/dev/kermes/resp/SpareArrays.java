package dev.kermes.resp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of long input and of long strings that are free to be used again. The JVM clears each new
 * array: with values of 1 MB that and the collector's work took a third of the time of a SET.
 *
 * <p>Whoever gives an array must be its only user. With assertions on, a given array is
 * overwritten, so that a late reader is noticed, and may not be given twice. Owned by one event
 * loop.
 */
public final class SpareArrays {

  /** 64 KiB: the length of the shortest array that is kept. */
  public static final int LENGTH_MIN = 64 * 1024;

  /** 4 MiB: of longer ones, few fit. */
  private static final int LENGTH_MAX = 4 << 20;

  private static final int COUNT_MAX = 16;

  /** An array that is taken is longer than wanted by an eighth of that at most. */
  private static final int SURPLUS_SHIFT = 3;

  private static final byte OVERWRITTEN = (byte) 0xdb;

  private final byte[][] arrays = new byte[COUNT_MAX][];
  private final long bytesMax;
  private int count;
  private long bytes;

  /**
   * An empty collection.
   *
   * @param bytesMax the most bytes that it keeps
   */
  public SpareArrays(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Takes an array of at least this length, with any content; null if none fits well. */
  public byte @Nullable [] take(int length) {
    for (int i = count - 1; i >= 0; i--) {
      int surplus = arrays[i].length - length;
      if (surplus >= 0 && surplus <= length >> SURPLUS_SHIFT) return remove(i);
    }
    return null;
  }

  /** Keeps an array unless it is short or very long, instead of those given earlier if need be. */
  public void give(byte[] array) {
    if (array.length < LENGTH_MIN || array.length > Math.min(LENGTH_MAX, bytesMax)) return;
    assert !has(array) : "given twice";
    assert overwrite(array);
    while (count == COUNT_MAX || bytes + array.length > bytesMax) {
      byte[] unused = remove(0);
    }
    arrays[count++] = array;
    bytes += array.length;
  }

  private byte[] remove(int index) {
    byte[] array = arrays[index];
    count--;
    System.arraycopy(arrays, index + 1, arrays, index, count - index);
    Arrays.fill(arrays, count, count + 1, null);
    bytes -= array.length;
    return array;
  }

  private boolean has(byte[] array) {
    for (int i = 0; i < count; i++) if (arrays[i] == array) return true;
    return false;
  }

  private static boolean overwrite(byte[] array) {
    Arrays.fill(array, OVERWRITTEN);
    return true;
  }
}
