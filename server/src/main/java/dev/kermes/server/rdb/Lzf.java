package dev.kermes.server.rdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

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
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /**
   * 8: up to this many bytes are copied as one long, together with bytes that the next step
   * overwrites. Most steps are this short, and a call to copy them would take longer.
   */
  private static final int FEW = Long.BYTES;

  /** 64 KiB: the result of a longer string gets an array of its own. */
  private static final int RESULT_KEPT = 1 << 16;

  /** One more than the index where three bytes with that hash were last seen. */
  private int[] seen = {};

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
    if (seen.length < 1 << bits) seen = new int[1 << bits];
    else Arrays.fill(seen, 0, 1 << bits, 0);
    shift = 32 - bits;
    return run() ? to : -1;
  }

  private boolean run() {
    int at = from;
    while (at <= end - REPEAT_MIN) {
      int slot = hash(at);
      int earlier = seen[slot] - 1;
      seen[slot] = at + 1;
      boolean isRepeat = earlier >= 0 && at - earlier <= DISTANCE_MAX && equal(earlier, at);
      if (!isRepeat) {
        at++;
        continue;
      }
      int count = repeat(earlier, at);
      if (!writeLiterals(at) || !writeRepeat(at - earlier, count)) return false;
      at += count;
      from = at;
    }
    return writeLiterals(end);
  }

  private int hash(int at) {
    int three = (in[at] & 0xff) << 16 | (in[at + 1] & 0xff) << 8 | in[at + 2] & 0xff;
    return three * GOLDEN >>> shift;
  }

  private boolean equal(int a, int b) {
    return in[a] == in[b] && in[a + 1] == in[b + 1] && in[a + 2] == in[b + 2];
  }

  private int repeat(int earlier, int at) {
    int max = Math.min(REPEAT_MAX, end - at);
    int count = REPEAT_MIN;
    while (count < max && in[earlier + count] == in[at + count]) count++;
    return count;
  }

  /** Writes the bytes before {@code at}; false if there is no room. */
  private boolean writeLiterals(int at) {
    while (from < at) {
      int count = Math.min(LITERALS_MAX, at - from);
      if (to + count >= outEnd) return false;
      out[to++] = (byte) (count - 1);
      System.arraycopy(in, from, out, to, count);
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
