package dev.kermes.server.rdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The LZF compression that Redis uses for strings: fast and small. A compressor is reused for the
 * next string; owned by one thread at a time.
 *
 * <pre>
 *   000nnnnn                      n + 1 bytes follow as they are
 *   nnnooooo oooooooo             n + 2 bytes again from o + 1 bytes before; n is not 7
 *   111ooooo nnnnnnnn oooooooo    n + 9 bytes again
 * </pre>
 */
public final class Lzf {

  private static final int LITERALS_MAX = 32;
  private static final int DISTANCE_MAX = 1 << 13;
  private static final int REPEAT_MIN = 3;
  private static final int REPEAT_MAX = 264;

  /** 2^14 places to remember where three bytes were last seen; more would find hardly more. */
  private static final int HASH_BITS = 14;

  private static final int GOLDEN = 0x9E3779B1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int THREE_BYTES = 0xffffff;

  /**
   * 8: up to this many bytes are copied as one long, together with bytes that the next step
   * overwrites. Most steps are this short, and a call to copy them would take longer.
   */
  private static final int FEW = Long.BYTES;

  /** 64 KiB: the result of a longer string gets an array of its own. */
  private static final int RESULT_KEPT = 1 << 16;

  /**
   * Where three bytes with that hash were last seen: {@link #firstPlace} for the first byte of the
   * string, more for later ones. Lower numbers are of earlier strings.
   */
  private int[] seen = {};

  private int firstPlace = 1;

  private byte[] result = new byte[64];

  private byte[] in = result;
  private byte[] out = result;
  private int end;
  private int outEnd;
  private int shift;
  private int to;

  /** The index of the first byte that has not been written. */
  private int from;

  /** The array in which {@link #compress} left its result. */
  public byte[] result() {
    return out;
  }

  /**
   * Compresses bytes into the beginning of {@link #result()}. Returns the compressed length, or -1
   * if it is not at least 4 bytes shorter.
   */
  public int compress(byte[] bytes, int offset, int length) {
    if (length < 5) return -1;
    in = bytes;
    from = offset;
    end = offset + length;
    to = 0;
    outEnd = length - 4;
    if (outEnd > result.length && outEnd <= RESULT_KEPT) result = new byte[2 * outEnd];
    out = outEnd <= result.length ? result : new byte[outEnd];
    int bits = Math.min(HASH_BITS, 32 - Integer.numberOfLeadingZeros(length));
    if (seen.length < 1 << bits || firstPlace > Integer.MAX_VALUE - length) {
      seen = new int[1 << bits];
      firstPlace = 1;
    }
    shift = 32 - bits;
    boolean isShorter = run();
    firstPlace += length;
    return isShorter ? to : -1;
  }

  private boolean run() {
    byte[] bytes = in; // fields would be loaded again after each store
    int[] places = seen;
    int bits = shift;
    int start = from;
    int base = firstPlace - start;
    int last = end - Integer.BYTES;
    int at = start;
    while (at <= last) {
      int four = (int) INT.get(bytes, at);
      int slot = (four & THREE_BYTES) * GOLDEN >>> bits;
      int earlier = places[slot] - base;
      places[slot] = at + base;
      boolean isRepeat =
          earlier >= start
              && at - earlier <= DISTANCE_MAX
              && (((int) INT.get(bytes, earlier) ^ four) & THREE_BYTES) == 0;
      if (!isRepeat) {
        at++;
        continue;
      }
      int count = sameBytes(bytes, earlier, at, Math.min(REPEAT_MAX, end - at));
      boolean hasRoom =
          at - from <= FEW && at <= bytes.length - FEW && to <= outEnd - FEW - 4
              ? writeFew(at, at - earlier, count)
              : writeLiterals(at) && writeRepeat(at - earlier, count);
      if (!hasRoom) return false;
      at += count;
      from = at;
    }
    return writeLiterals(end);
  }

  /** Writes at most {@link #FEW} literals and a repetition, for which there is room; true. */
  private boolean writeFew(int at, int distance, int count) {
    int literals = at - from;
    if (literals > 0) {
      out[to] = (byte) (literals - 1);
      LONG.set(out, to + 1, (long) LONG.get(in, from));
      to += literals + 1;
    }
    return writeRepeat(distance, count);
  }

  /** The number of bytes, at most {@code max}, that are the same at both places; at least three. */
  private static int sameBytes(byte[] bytes, int earlier, int at, int max) {
    int count = REPEAT_MIN;
    for (; count <= max - Long.BYTES; count += Long.BYTES) {
      long difference =
          (long) LONG.get(bytes, earlier + count) ^ (long) LONG.get(bytes, at + count);
      if (difference != 0) return count + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
    }
    while (count < max && bytes[earlier + count] == bytes[at + count]) count++;
    return count;
  }

  /** Writes the bytes before {@code at}; false if there is no room. */
  private boolean writeLiterals(int at) {
    while (from < at) {
      int count = Math.min(LITERALS_MAX, at - from);
      if (to + count >= outEnd) return false;
      out[to++] = (byte) (count - 1);
      if (count <= FEW && from <= in.length - FEW && to <= out.length - FEW) {
        LONG.set(out, to, (long) LONG.get(in, from));
      } else {
        System.arraycopy(in, from, out, to, count);
      }
      to += count;
      from += count;
    }
    return true;
  }

  private boolean writeRepeat(int distance, int count) {
    if (to + 3 > outEnd) return false;
    int back = distance - 1;
    int more = count - 2;
    if (more < 7) {
      out[to++] = (byte) (more << 5 | back >> 8);
    } else {
      out[to++] = (byte) (7 << 5 | back >> 8);
      out[to++] = (byte) (more - 7);
    }
    out[to++] = (byte) back;
    return true;
  }

  /**
   * Decompresses bytes into a part of {@code out}.
   *
   * @throws IndexOutOfBoundsException if the input is malformed or does not fill that part exactly;
   *     bytes beyond the part may have been overwritten then
   */
  public static void decompress(
      byte[] in, int offset, int length, byte[] out, int outFrom, int outTo) {
    int end = offset + length;
    int from = offset;
    int to = outFrom;
    while (from < end) {
      int control = in[from++] & 0xff;
      if (control < 32) {
        int count = control + 1;
        if (count <= FEW && from <= in.length - FEW && to <= outTo - FEW) {
          LONG.set(out, to, (long) LONG.get(in, from));
        } else {
          System.arraycopy(in, from, out, to, count);
        }
        from += count;
        to += count;
        continue;
      }
      int count = (control >> 5) + 2;
      if (count == 9) count += in[from++] & 0xff;
      int distance = ((control & 31) << 8) + (in[from++] & 0xff) + 1;
      if (distance > to - outFrom) throw new IndexOutOfBoundsException("from before the beginning");
      if (count <= FEW && distance >= FEW && to <= outTo - FEW) {
        LONG.set(out, to, (long) LONG.get(out, to - distance));
      } else {
        repeat(out, to, distance, count);
      }
      to += count;
    }
    if (from > end || to != outTo) throw new IndexOutOfBoundsException("wrong length");
  }

  /** Repeats earlier bytes, which may overlap with the bytes that it has just written. */
  private static void repeat(byte[] out, int to, int distance, int count) {
    while (count > distance) {
      System.arraycopy(out, to - distance, out, to, distance);
      to += distance;
      count -= distance;
      distance *= 2;
    }
    System.arraycopy(out, to - distance, out, to, count);
  }
}
