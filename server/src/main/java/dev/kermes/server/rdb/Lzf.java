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
   * 8: fewer bytes than this are copied as one long, together with bytes that the next step
   * overwrites. Most steps are this short, and a call to copy them would take longer.
   */
  private static final int FEW = Long.BYTES;

  /** Decompression copies this many bytes as four longs: all literals, and most repeats. */
  private static final int MANY = LITERALS_MAX;

  /** The first control byte of repeats with a byte for their length. */
  private static final int LONG_REPEAT = 7 << 5;

  /** 64 KiB: the result of a longer string gets an array of its own. */
  private static final int RESULT_KEPT = 1 << 16;

  /**
   * The low 16 bits of the index at which three bytes with that hash were last seen. It may be one
   * of an earlier string, or one that is 65,536 bytes further back: a place only says where to
   * compare, so it needs no clearing between strings.
   */
  private char[] seen = {};

  private byte[] result = new byte[64];
  private byte[] out = result;

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
    int lengthMax = length - 4;
    int room = lengthMax + FEW; // a step writes up to FEW bytes beyond its end
    if (room > result.length && room <= RESULT_KEPT) result = new byte[2 * room];
    out = room <= result.length ? result : new byte[room];
    int bits = Math.min(HASH_BITS, 32 - Integer.numberOfLeadingZeros(length));
    if (seen.length < 1 << bits) seen = new char[1 << bits];
    return run(bytes, offset, offset + length, out, lengthMax, seen, 32 - bits);
  }

  /**
   * Compresses; returns the length, or -1 if it would exceed {@code lengthMax}. The bytes are
   * compared before the distance is checked, because in bytes that do not repeat themselves only
   * the former can be predicted.
   */
  private static int run(
      byte[] in, int start, int end, byte[] out, int lengthMax, char[] seen, int shift) {
    int last = end - Long.BYTES; // where a repeat may begin
    int outMax = lengthMax - 4;
    int from = start; // the first byte that has not been written
    int to = 0;
    int at = start;
    while (at <= last) {
      long eight = (long) LONG.get(in, at);
      int slot = ((int) eight & THREE_BYTES) * GOLDEN >>> shift;
      int distance = (char) (at - seen[slot]);
      seen[slot] = (char) at;
      int distanceMax = Math.min(at - start, DISTANCE_MAX);
      long difference = eight ^ (long) LONG.get(in, at - Math.min(distance, distanceMax));
      if ((difference & THREE_BYTES) != 0
          || Integer.compareUnsigned(distance - 1, distanceMax) >= 0) {
        at++;
        continue;
      }
      int literals = at - from;
      if (to + literals + literals / LITERALS_MAX > outMax) return -1;
      if (literals >= FEW) {
        to = writeLiterals(in, from, at, out, to);
      } else if (literals > 0) {
        LONG.set(out, to, (long) LONG.get(in, from) << Byte.SIZE | literals - 1);
        to += 1 + literals;
      }
      int back = distance - 1;
      int count;
      if (difference != 0) {
        count = sameBytes(difference);
        INT.set(out, to, count - 2 << 5 | back >> 8 | (back & 0xff) << 8);
        to += 2;
      } else {
        count = sameBytes(in, at - distance, at, Math.min(REPEAT_MAX, end - at));
        to = writeRepeat(out, to, back, count - 2);
      }
      at += count;
      from = at;
    }
    int literals = end - from;
    if (to + literals + (literals + LITERALS_MAX - 1) / LITERALS_MAX > lengthMax) return -1;
    return writeLiterals(in, from, end, out, to);
  }

  /**
   * The number of equal bytes, 3 to 7, of two longs with a difference beyond the third. By branches
   * and not by the trailing zeros: where lengths recur, the processor predicts them and compares
   * the next bytes in the meantime. With that, packed elements take two thirds of the time.
   */
  private static int sameBytes(long difference) {
    if ((difference & 0xff000000L) != 0) return 3;
    if ((difference & 0xff00000000L) != 0) return 4;
    if ((difference & 0xff0000000000L) != 0) return 5;
    return (difference & 0xff000000000000L) != 0 ? 6 : 7;
  }

  /** The number of equal bytes at two places, at most {@code max}; the first eight are equal. */
  private static int sameBytes(byte[] in, int earlier, int at, int max) {
    if (max <= Long.BYTES) return max;
    int more =
        Arrays.mismatch(in, earlier + Long.BYTES, earlier + max, in, at + Long.BYTES, at + max);
    return more < 0 ? max : Long.BYTES + more;
  }

  private static int writeLiterals(byte[] in, int from, int end, byte[] out, int to) {
    while (from < end) {
      int count = Math.min(LITERALS_MAX, end - from);
      out[to++] = (byte) (count - 1);
      System.arraycopy(in, from, out, to, count);
      to += count;
      from += count;
    }
    return to;
  }

  private static int writeRepeat(byte[] out, int to, int back, int more) {
    if (more < 7) {
      out[to] = (byte) (more << 5 | back >> 8);
      out[to + 1] = (byte) back;
      return to + 2;
    }
    INT.set(out, to, 7 << 5 | back >> 8 | more - 7 << 8 | (back & 0xff) << 16);
    return to + 3;
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
      long reached = shortSteps(in, from, end, out, outFrom, to, outTo);
      from = (int) (reached >>> Integer.SIZE);
      to = (int) reached;
      if (from == end) break;
      int control = in[from++] & 0xff;
      if (control < LITERALS_MAX) {
        int count = control + 1;
        System.arraycopy(in, from, out, to, count);
        from += count;
        to += count;
        continue;
      }
      int count = (control >> 5) + 2;
      if (control >= LONG_REPEAT) count += in[from++] & 0xff;
      int distance = ((control & 31) << 8) + (in[from++] & 0xff) + 1;
      if (distance > to - outFrom) throw new IndexOutOfBoundsException("from before the beginning");
      repeat(out, to, distance, count);
      to += count;
    }
    if (from > end || to != outTo) throw new IndexOutOfBoundsException("wrong length");
  }

  /**
   * Decompresses up to the first step that is not short, repeats what is nearer than a long, or is
   * near an end: nearly all steps of packed elements. Returns the index in the input and, in the
   * lower half, that in the output. A method of its own, without calls, so that the JIT compiler
   * keeps all variables in registers: beside calls the steps take nearly twice the time.
   */
  private static long shortSteps(
      byte[] in, int from, int end, byte[] out, int outFrom, int to, int outTo) {
    while (from <= end - FEW - 1 && to <= outTo - FEW) {
      long word = (long) LONG.get(in, from);
      int control = (int) word & 0xff;
      if (control < FEW - 1) {
        LONG.set(out, to, word >>> Byte.SIZE);
        from += control + 2;
        to += control + 1;
      } else if (control < LITERALS_MAX) {
        if (from > end - MANY - 1 || to > outTo - MANY) break;
        copyMany(in, from + 1, out, to);
        from += control + 2;
        to += control + 1;
      } else if (control < LONG_REPEAT) {
        int earlier = to - 1 - ((control & 31) << 8) - ((int) word >>> 8 & 0xff);
        if (earlier < outFrom || earlier > to - FEW) break;
        LONG.set(out, to, (long) LONG.get(out, earlier));
        from += 2;
        to += (control >> 5) + 2;
      } else {
        int count = 9 + ((int) word >>> 8 & 0xff);
        int earlier = to - 1 - ((control & 31) << 8) - ((int) word >>> 16 & 0xff);
        boolean isFit = count <= MANY && to <= outTo - MANY;
        if (!isFit || earlier < outFrom || earlier > to - FEW) break;
        copyMany(out, earlier, out, to);
        from += 3;
        to += count;
      }
    }
    return (long) from << Integer.SIZE | to;
  }

  /** Copies {@link #MANY} bytes, eight at a time; repeats them if they begin eight bytes before. */
  private static void copyMany(byte[] in, int from, byte[] out, int to) {
    LONG.set(out, to, (long) LONG.get(in, from));
    LONG.set(out, to + 8, (long) LONG.get(in, from + 8));
    LONG.set(out, to + 16, (long) LONG.get(in, from + 16));
    LONG.set(out, to + 24, (long) LONG.get(in, from + 24));
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
