package dev.kermes.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Counts the replies in a stream of RESP2 by their heads only.
 *
 * <pre>
 *   +OK\r\n   $-1\r\n   $256\r\n(256 bytes)\r\n   *2\r\n:1\r\n:2\r\n
 * </pre>
 *
 * An array's elements are parts of one reply, at any depth. Feed any split of the stream. Owned by
 * one thread.
 */
final class ReplyScanner {

  private long skip;

  /** The elements that the reply under way still lacks. */
  private long missing = 1;

  private long misses;
  private long hits;
  private long errors;
  private @Nullable String firstError;

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
        if (endsReply()) count++;
      }
      int end = endOfLine(buffer, position, limit);
      if (end < 0) break;
      byte type = buffer.get(position);
      if (type == '$') {
        skip = bulk(buffer, position + 1, end);
      } else if (type == '*') {
        missing += Math.max(0, number(buffer, position + 1, end));
      } else if (type == '-') {
        error(buffer, position, end);
      }
      position = end + 2;
      if (skip == 0 && endsReply()) count++;
    }
    buffer.position(position);
    buffer.compact();
    return count;
  }

  /** Counts an element; returns whether it was the last one of its reply. */
  private boolean endsReply() {
    if (--missing > 0) return false;
    missing = 1;
    return true;
  }

  /** Returns the index of the carriage return if its line feed has arrived as well, or -1. */
  private static int endOfLine(ByteBuffer buffer, int from, int limit) {
    for (int i = from; i < limit - 1; i++) if (buffer.get(i) == '\r') return i;
    return -1;
  }

  /** Returns the number of bytes that follow the head: none for a nil. */
  private long bulk(ByteBuffer buffer, int from, int end) {
    long length = number(buffer, from, end);
    if (length < 0) {
      misses++;
      return 0;
    }
    hits++;
    return length + 2;
  }

  /** Returns the number of a head, -1 for a nil. */
  private static long number(ByteBuffer buffer, int from, int end) {
    if (buffer.get(from) == '-') return -1;
    long number = 0;
    for (int i = from; i < end; i++) number = number * 10 + buffer.get(i) - '0';
    return number;
  }

  private void error(ByteBuffer buffer, int from, int end) {
    if (errors++ > 0) return;
    byte[] text = new byte[end - from];
    buffer.get(from, text);
    firstError = new String(text, StandardCharsets.ISO_8859_1);
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

  /** Returns the first error among the replies and their elements. */
  @Nullable String firstError() {
    return firstError;
  }
}
