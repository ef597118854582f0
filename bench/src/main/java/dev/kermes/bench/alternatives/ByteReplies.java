package dev.kermes.bench.alternatives;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Replies that have not been written yet. Owned by the thread of one connection. */
final class ByteReplies {

  private static final byte[] NIL = "$-1\r\n".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes = new byte[1 << 14];
  private int length;

  void line(String text) {
    put((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  void nil() {
    put(NIL);
  }

  void bulk(byte[] value) {
    line("$" + value.length);
    put(value);
    line("");
  }

  private void put(byte[] part) {
    if (length + part.length > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (length + part.length));
    }
    System.arraycopy(part, 0, bytes, length, part.length);
    length += part.length;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }
}
