package dev.kermes.server.data;

/**
 * Reads what LZF compressed.
 *
 * <pre>
 *   000nnnnn                      n + 1 bytes follow as they are
 *   nnnooooo oooooooo             n + 2 bytes again from o + 1 bytes before; n is not 7
 *   111ooooo nnnnnnnn oooooooo    n + 9 bytes again
 * </pre>
 */
public final class Lzf {

  private Lzf() {}

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
