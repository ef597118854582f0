package dev.kermes.bench.load;

import java.nio.ByteBuffer;

/**
 * Counts the replies in a stream of simple strings, errors, numbers and bulk strings by their heads
 * only.
 *
 * <pre>
 *   +OK\r\n   $-1\r\n   $256\r\n(256 bytes)\r\n
 * </pre>
 *
 * Feed any split of the stream. Owned by one thread.
 */
final class ReplyScanner {

  private long skip;
  private long misses;
  private long hits;
  private long errors;

  /**
   * Counts replies that end in the bytes up to the buffer's position, and leaves the buffer ready
   * for the next read, with the start of an unfinished head if there is one.
   */
  int scan(ByteBuffer buffer) {
    buffer.flip();
    int limit = buffer.limit();
    int position = 0;
    int count = 0;
    while (true) {
      if (skip > 0) {
        int step = (int) Math.min(skip, limit - position);
        position += step;
        skip -= step;
        if (skip > 0) break;
        count++;
      }
      int end = endOfLine(buffer, position, limit);
      if (end < 0) break;
      byte type = buffer.get(position);
      if (type == '$') {
        skip = bulk(buffer, position + 1, end);
      } else if (type == '-') {
        errors++;
      }
      position = end + 2;
      if (skip == 0) count++;
    }
    buffer.position(position);
    buffer.compact();
    return count;
  }

  /** Returns the index of the carriage return if its line feed has arrived as well, or -1. */
  private static int endOfLine(ByteBuffer buffer, int from, int limit) {
    for (int i = from; i < limit - 1; i++) if (buffer.get(i) == '\r') return i;
    return -1;
  }

  /** Returns the number of bytes that follow the head: none for a nil. */
  private long bulk(ByteBuffer buffer, int from, int end) {
    if (buffer.get(from) == '-') {
      misses++;
      return 0;
    }
    long length = 0;
    for (int i = from; i < end; i++) length = length * 10 + buffer.get(i) - '0';
    hits++;
    return length + 2;
  }

  long hits() {
    return hits;
  }

  long misses() {
    return misses;
  }

  long errors() {
    return errors;
  }
}
