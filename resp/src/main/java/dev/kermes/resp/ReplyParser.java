package dev.kermes.resp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Incremental parser of RESP2 and RESP3 replies. It finds the end of each top-level reply,
 * validates the reply, and lets a {@link ReplyReader} decode it in place.
 *
 * <pre>
 *   buffer  | read before | one complete reply | bytes seen, incomplete | bytes not seen | free |
 *           0          start              frameEnd                    scan             end
 * </pre>
 *
 * <p>Feed any split of the stream. The parser never looks again at bytes it has seen, even while a
 * reply is incomplete, so a peer that sends single bytes costs no more than one that sends
 * everything at once. The state between two bytes is small: how many values each open aggregate
 * still expects, and how much of a payload is missing. Nothing is allocated per value, and the
 * buffer grows with the bytes that have arrived, never with an announced length, so a peer cannot
 * make us allocate memory by announcing a huge reply.
 *
 * <p>A reply that is one long bulk gets its final array once an eighth of it has arrived; the rest
 * is written there ({@link #room}), and {@link ReplyReader#readBytes} returns that array.
 *
 * <p>The parser alternates between two steps. {@link #line} takes one header line; {@link #payload}
 * takes the bytes of a bulk and its CR LF. A value is complete when its line or payload is; {@link
 * #valueDone} then counts it in the enclosing aggregate and closes every aggregate that this
 * completes. At depth 0 a reply is complete.
 *
 * <p>Departures from the specification: (a) nesting, elements and lengths are bounded by {@link
 * RespLimits}; (b) attributes belong to the value that follows and the reader skips them.
 *
 * <p>Hot path: per byte of a line, per header of a payload. Owned by one thread.
 */
public final class ReplyParser {
  private static final int BUFFER_MIN = 16 * 1024;

  /** 64 KiB: copying a shorter bulk costs less than an array that is used once. */
  private static final int LONG_BULK_MIN = 64 * 1024;

  private static final int STREAMED = -1;
  private static final long NONE = -1;

  private final RespLimits limits;
  private final ReplyReader reader = new ReplyReader();
  private final Numbers.Breach breach = this::breach;

  private byte[] buffer = new byte[BUFFER_MIN];
  private int start;
  private int frameEnd;
  private int scan;
  private int end;

  /** Bytes of the stream that have left the buffer; position in the stream = dropped + index. */
  private long dropped;

  /** Where the search for the CR of the current line continues. */
  private int lineScan;

  /** Length of the current payload without its CR LF, or NONE when a line is expected. */
  private long payload = NONE;

  private byte payloadType;

  /** The final array of a reply that is a long bulk; null if the payload is in the buffer. */
  private byte @Nullable [] longBulk;

  /** The number of bytes that {@link #longBulk} has. */
  private int longFilled;

  private boolean inStreamedString;
  private long streamedLength;
  private boolean attributeBefore;

  private int depth;
  private byte[] kinds = new byte[8];
  private int[] expected = new int[8];
  private int[] counted = new int[8];

  /** Creates a parser that enforces {@code limits}. */
  public ReplyParser(RespLimits limits) {
    this.limits = limits;
  }

  /** Appends bytes [from, to) of the stream; they are copied. */
  public void feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int length = room(to - at);
      System.arraycopy(bytes, at, writeBuffer(), writeIndex(), length);
      wrote(length);
      at += length;
    }
  }

  /**
   * Makes room for {@code wanted} bytes at {@link #writeIndex} of {@link #writeBuffer}, or for
   * fewer if a long bulk ends before; returns for how many.
   */
  public int room(int wanted) {
    if (longBulk == null && isLongBulkDue()) beginLongBulk();
    if (longBulk != null && longFilled < longBulk.length) {
      return Math.min(wanted, longBulk.length - longFilled);
    }
    ensureWritable(wanted);
    return wanted;
  }

  /**
   * Makes room for {@code length} bytes at {@link #writeIndex} of {@link #writeBuffer}, for callers
   * that want all bytes of a reply in one array and never call {@link #room}.
   */
  public void ensureWritable(int length) {
    if (buffer.length - end < length) makeRoom(length);
  }

  /** The array to write received bytes into; valid until the next call of another method. */
  public byte[] writeBuffer() {
    byte[] target = longBulk;
    return target != null && longFilled < target.length ? target : buffer;
  }

  /** The index in {@link #writeBuffer} where received bytes go. */
  public int writeIndex() {
    return isFillingLongBulk() ? longFilled : end;
  }

  /** Adds the {@code length} bytes that the caller has written at {@link #writeIndex}. */
  public void wrote(int length) {
    if (isFillingLongBulk()) longFilled += length;
    else end += length;
  }

  /** The number of fed bytes that belong to replies not yet returned by {@link #next}. */
  public int unreadBytes() {
    return end - frameEnd + (longBulk == null ? 0 : longFilled);
  }

  /**
   * Advances to the next complete reply, however much of the previous one was read.
   *
   * @return true if {@link #reader} is positioned at a reply, false if more bytes are needed
   * @throws ProtocolException at the first invalid byte; the parser cannot be used afterwards
   */
  public boolean next() {
    start = frameEnd;
    if (start == end) {
      reset();
      return false;
    }
    while (scan < end && step()) {
      if (depth == 0 && !inStreamedString && payload == NONE && !attributeBefore) {
        frameEnd = scan;
        reader.reset(buffer, start, frameEnd, longBulk);
        longBulk = null;
        return true;
      }
    }
    return false;
  }

  /**
   * The cursor over the reply that {@link #next} found; valid until the next call of {@code next}.
   */
  public ReplyReader reader() {
    return reader;
  }

  // ---- one line or one payload at a time

  /** Takes one line or one payload; returns false if it is not complete yet. */
  private boolean step() {
    return payload == NONE ? line() : payload();
  }

  private boolean line() {
    int cr = lineScan;
    byte[] bytes = buffer;
    int to = end;
    while (cr < to && bytes[cr] != '\r' && bytes[cr] != '\n') cr++;
    if (cr - scan > limits.bulkLengthMax()) {
      throw breach("line too long: max=" + limits.bulkLengthMax(), scan);
    }
    lineScan = cr;
    if (cr == to) return false;
    if (bytes[cr] == '\n') throw breach("line feed without carriage return", cr);
    if (cr + 1 == to) return false;
    if (bytes[cr + 1] != '\n') throw breach("carriage return without line feed", cr + 1);
    int from = scan;
    scan = cr + 2;
    lineScan = scan;
    if (cr == from) throw breach("empty line instead of a reply", from);
    header(bytes[from], from + 1, cr);
    return true;
  }

  private boolean payload() {
    if (isFillingLongBulk()) return false;
    long after = longBulk == null ? scan + payload : scan;
    if (end < after + 2) {
      if (end == after + 1 && buffer[(int) after] != '\r') throw unterminated((int) after);
      return false;
    }
    int cr = (int) after;
    if (buffer[cr] != '\r' || buffer[cr + 1] != '\n') throw unterminated(cr);
    if (payloadType == '=' && buffer[scan + 3] != ':') {
      throw breach("verbatim string without format", scan);
    }
    scan = cr + 2;
    lineScan = scan;
    payload = NONE;
    if (!inStreamedString) valueDone();
    return true;
  }

  private void header(byte type, int from, int to) {
    if (inStreamedString) {
      chunk(type, from, to);
      return;
    }
    if (type == '.') {
      endOfStreamed(from, to);
      return;
    }
    attributeBefore = false;
    switch (type) {
      case '+', '-' -> valueDone();
      case ':' -> {
        var unused = Numbers.parseLong(buffer, from, to, breach);
        valueDone();
      }
      case '$', '!', '=' -> bulk(type, from, to);
      case '*', '%', '~', '>', '|' -> aggregate(type, from, to);
      case '_' -> {
        if (from != to) throw breach("null with a value", from);
        valueDone();
      }
      case '#' -> {
        if (to - from != 1 || (buffer[from] != 't' && buffer[from] != 'f')) {
          throw breach("boolean is neither t nor f", from);
        }
        valueDone();
      }
      case ',' -> {
        if (!Numbers.isDouble(buffer, from, to)) throw breach("not a double", from);
        valueDone();
      }
      case '(' -> {
        if (!Numbers.isBigNumber(buffer, from, to)) throw breach("not a big number", from);
        valueDone();
      }
      default -> throw breach("unknown type of reply: byte=" + (type & 0xff), from - 1);
    }
  }

  private void bulk(byte type, int from, int to) {
    if (isStreamed(from, to)) {
      if (type != '$') throw breach("only strings, arrays, maps and sets can be streamed", from);
      inStreamedString = true;
      streamedLength = 0;
      return;
    }
    long length = length(from, to);
    if (length < 0) {
      if (type != '$') throw breach("null length of a type that has no null", from);
      valueDone();
      return;
    }
    if (type == '=' && length < 4) throw breach("verbatim string without format", from);
    expectPayload(type, length);
  }

  private void chunk(byte type, int from, int to) {
    if (type != ';') throw breach("chunk of a streamed string expected", from - 1);
    long length = length(from, to);
    if (length < 0) throw breach("negative length of a chunk", from);
    if (length > 0) {
      streamedLength += length;
      if (streamedLength > limits.bulkLengthMax()) throw tooLong(streamedLength);
      expectPayload(type, length);
      return;
    }
    inStreamedString = false;
    valueDone();
  }

  private void expectPayload(byte type, long length) {
    if (length > limits.bulkLengthMax()) throw tooLong(length);
    payload = length;
    payloadType = type;
  }

  private void aggregate(byte type, int from, int to) {
    if (isStreamed(from, to)) {
      if (type == '>' || type == '|') throw breach("a push cannot be streamed", from);
      open(type, STREAMED);
      return;
    }
    long count = length(from, to);
    if (count < 0) {
      if (type != '*') throw breach("null length of a type that has no null", from);
      valueDone();
      return;
    }
    if (type == '>' && depth > 0) throw breach("push inside another reply", from - 1);
    long elements = type == '%' || type == '|' ? 2 * count : count;
    if (elements > limits.elementsMax()) {
      throw breach("too many elements: count=" + elements + ", max=" + limits.elementsMax(), from);
    }
    open(type, (int) elements);
    if (elements == 0) close();
  }

  private void endOfStreamed(int from, int to) {
    if (from != to || depth == 0 || expected[depth - 1] != STREAMED || attributeBefore) {
      throw breach("end of a streamed aggregate where none ends", from - 1);
    }
    if (kinds[depth - 1] == '%' && (counted[depth - 1] & 1) != 0) {
      throw breach("streamed map with a key that has no value", from - 1);
    }
    close();
  }

  private void open(byte kind, int elements) {
    if (depth == limits.depthMax()) {
      throw breach("nested too deep: max=" + limits.depthMax(), scan);
    }
    if (depth == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * depth);
      expected = Arrays.copyOf(expected, 2 * depth);
      counted = Arrays.copyOf(counted, 2 * depth);
    }
    kinds[depth] = kind;
    expected[depth] = elements;
    counted[depth] = 0;
    depth++;
  }

  private void close() {
    depth--;
    if (kinds[depth] == '|') attributeBefore = true;
    else valueDone();
  }

  private void valueDone() {
    while (depth > 0) {
      int top = depth - 1;
      int count = ++counted[top];
      if (expected[top] == STREAMED) {
        if (count == Integer.MAX_VALUE || count > limits.elementsMax()) {
          throw breach("too many elements: max=" + limits.elementsMax(), scan);
        }
        return;
      }
      if (count < expected[top]) return;
      depth--;
      if (kinds[depth] == '|') {
        attributeBefore = true;
        return;
      }
    }
  }

  // ---- numbers in headers

  private boolean isStreamed(int from, int to) {
    return to - from == 1 && buffer[from] == '?';
  }

  /** Parses a length: digits, or exactly -1 for null. */
  private long length(int from, int to) {
    if (to - from == 2 && buffer[from] == '-' && buffer[from + 1] == '1') return -1;
    if (to - from < 1 || to - from > 10) throw breach("not a length", from);
    long length = 0;
    for (int i = from; i < to; i++) {
      int digit = buffer[i] - '0';
      if (digit < 0 || digit > 9) throw breach("not a length", i);
      length = 10 * length + digit;
    }
    return length;
  }

  // ---- the buffer

  private boolean isFillingLongBulk() {
    return longBulk != null && longFilled < longBulk.length;
  }

  /** Whether a reply that is one long bulk has arrived to an eighth, but not whole. */
  private boolean isLongBulkDue() {
    return payload >= LONG_BULK_MIN
        && payloadType == '$'
        && buffer[start] == '$'
        && end - scan >= payload / 8
        && end - scan <= payload;
  }

  /** Moves what has arrived of the payload to the array that keeps it. */
  private void beginLongBulk() {
    byte[] target = new byte[(int) payload];
    longFilled = end - scan;
    System.arraycopy(buffer, scan, target, 0, longFilled);
    end = scan;
    dropped += payload;
    longBulk = target;
  }

  private void makeRoom(int length) {
    int used = end - start;
    long needed = (long) used + length;
    if (needed > Integer.MAX_VALUE - 16) {
      throw new ProtocolException("reply too large: more than 2 GB, position=" + (dropped + start));
    }
    byte[] target = buffer;
    // Moving within the buffer must free half of it; otherwise each small feed could move all
    // bytes.
    if (needed > buffer.length / 2) target = new byte[clamp(Math.max(needed, 2L * buffer.length))];
    System.arraycopy(buffer, start, target, 0, used);
    shift(start);
    buffer = target;
  }

  private static int clamp(long size) {
    return (int) Math.min(size, Integer.MAX_VALUE - 16);
  }

  private void shift(int by) {
    dropped += by;
    start -= by;
    frameEnd -= by;
    scan -= by;
    lineScan -= by;
    end -= by;
  }

  private void reset() {
    shift(end);
    if (buffer.length > 16 * BUFFER_MIN) buffer = new byte[BUFFER_MIN];
  }

  // ---- errors

  private ProtocolException breach(String what, int index) {
    return new ProtocolException(what + ", position=" + (dropped + index));
  }

  private ProtocolException unterminated(int index) {
    return breach("payload not followed by CR LF", index);
  }

  private ProtocolException tooLong(long length) {
    return breach("bulk too long: length=" + length + ", max=" + limits.bulkLengthMax(), scan);
  }
}
