package dev.kermes.bench.alternatives;

import java.io.IOException;
import java.util.Arrays;

/**
 * Requests in the bytes that have been read, without conversion to text.
 *
 * <pre>
 *   *2 \r\n $3 \r\n GET \r\n $5 \r\n hello \r\n *2 \r\n $3 …
 *   ^start      ^offsets[0]   ^offsets[1]     ^start of the next ^end
 * </pre>
 *
 * Owned by the thread of one connection.
 */
final class ByteRequests {

  private static final int CHUNK = 1 << 14;
  private static final int ARGUMENTS_MAX = 16;

  private byte[] buffer = new byte[CHUNK];
  private int start;
  private int end;
  private int position;
  private int count;
  private final int[] offsets = new int[ARGUMENTS_MAX];
  private final int[] lengths = new int[ARGUMENTS_MAX];

  /** Adds bytes that have been read. */
  void add(byte[] bytes, int length) {
    if (end + length > buffer.length) makeRoom(length);
    System.arraycopy(bytes, 0, buffer, end, length);
    end += length;
  }

  private void makeRoom(int length) {
    int kept = end - start;
    byte[] target = kept + length > buffer.length ? new byte[2 * (kept + length)] : buffer;
    System.arraycopy(buffer, start, target, 0, kept);
    buffer = target;
    start = 0;
    end = kept;
  }

  /** Advances to the next request; returns false, and changes nothing, if it is incomplete. */
  boolean next() throws IOException {
    position = start;
    int arguments = number('*');
    if (arguments < 0) return false;
    if (arguments > ARGUMENTS_MAX) throw new IOException("too many arguments: " + arguments);
    for (int i = 0; i < arguments; i++) {
      int length = number('$');
      if (length < 0 || position + length + 2 > end) return false;
      offsets[i] = position;
      lengths[i] = length;
      position += length + 2;
    }
    count = arguments;
    start = position;
    return true;
  }

  /** Returns the number in a line like {@code $12}; -1 if the end of the line is missing. */
  private int number(char type) throws IOException {
    int value = 0;
    for (int i = position + 1; i < end; i++) {
      byte b = buffer[i];
      if (b == '\n') {
        if (buffer[position] != type) throw new IOException("expected " + type);
        position = i + 1;
        return value;
      }
      if (b != '\r') value = value * 10 + b - '0';
    }
    return -1;
  }

  int count() {
    return count;
  }

  byte[] argument(int index) {
    return Arrays.copyOfRange(buffer, offsets[index], offsets[index] + lengths[index]);
  }

  boolean commandIs(byte[] name) {
    int from = offsets[0];
    return Arrays.equals(buffer, from, from + lengths[0], name, 0, name.length);
  }
}
