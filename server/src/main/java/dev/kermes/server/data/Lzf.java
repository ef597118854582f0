package dev.kermes.server.data;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * LZF: fast, small, and what Redis compresses strings with.
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

  /** 2^14 places to remember where three bytes were last seen; more finds hardly more. */
  private static final int HASH_BITS = 14;

  private static final int GOLDEN = 0x9E3779B1;

  private Lzf() {}

  /** The bytes compressed, or null if that does not make them at least 4 bytes shorter. */
  public static byte @Nullable [] compressed(byte[] in, int offset, int length) {
    return length < 5 ? null : new Compressor(in, offset, length).run();
  }

  private static final class Compressor {
    private final byte[] in;
    private final int end;
    private final byte[] out;

    /** One beyond the place where three bytes of that hash were last seen. */
    private final int[] seen;

    private final int shift;
    private int to;

    /** The first byte that has not been written. */
    private int from;

    Compressor(byte[] in, int offset, int length) {
      this.in = in;
      from = offset;
      end = offset + length;
      out = new byte[length - 4];
      int bits = Math.min(HASH_BITS, 32 - Integer.numberOfLeadingZeros(length));
      seen = new int[1 << bits];
      shift = 32 - bits;
    }

    byte @Nullable [] run() {
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
        if (!writeLiterals(at) || !writeRepeat(at - earlier, count)) return null;
        at += count;
        from = at;
      }
      return writeLiterals(end) ? Arrays.copyOf(out, to) : null;
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

    /** Writes what comes before {@code at}; false if there is no room. */
    private boolean writeLiterals(int at) {
      while (from < at) {
        int count = Math.min(LITERALS_MAX, at - from);
        if (to + count >= out.length) return false;
        out[to++] = (byte) (count - 1);
        System.arraycopy(in, from, out, to, count);
        to += count;
        from += count;
      }
      return true;
    }

    private boolean writeRepeat(int distance, int count) {
      if (to + 3 > out.length) return false;
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
  }

  /**
   * The bytes that were compressed.
   *
   * @throws IndexOutOfBoundsException if it is not what LZF writes
   */
  public static byte[] decompressed(byte[] in, int offset, int length, int resultLength) {
    byte[] out = new byte[resultLength];
    int end = offset + length;
    int from = offset;
    int to = 0;
    while (from < end) {
      int control = in[from++] & 0xff;
      if (control < 32) {
        System.arraycopy(in, from, out, to, control + 1);
        from += control + 1;
        to += control + 1;
        continue;
      }
      int count = control >> 5;
      if (count == 7) count += in[from++] & 0xff;
      int source = to - ((control & 31) << 8) - (in[from++] & 0xff) - 1;
      for (int i = count + 2; i > 0; i--) out[to++] = out[source++];
    }
    return out;
  }
}
