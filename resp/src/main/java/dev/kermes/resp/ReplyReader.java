package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one complete reply, in place; each read takes the next value in wire order. Since
 * the reply is complete and validated, a read never waits, and a reader that stops half-way or
 * reads the wrong type cannot corrupt the replies that follow.
 *
 * <p>Reads are lenient where RESP2 and RESP3 differ: a map may arrive as an array, and a double,
 * boolean or integer as text. Reading a value that cannot be converted throws {@link
 * ReplyTypeException}. Attributes are skipped.
 *
 * <p>Hot path: no allocation beyond the value itself. Owned by the thread that owns the parser.
 */
public final class ReplyReader {
  /** Converts bytes [offset, offset + length) to a value; must copy the bytes that it keeps. */
  @FunctionalInterface
  public interface BytesFunction<T extends @Nullable Object> {
    /** Returns the value. */
    T apply(byte[] bytes, int offset, int length);
  }

  private static final Numbers.Breach NOT_A_NUMBER =
      (what, index) -> {
        throw new ReplyTypeException(what);
      };

  private byte[] bytes = new byte[0];
  private int position;
  private int to;

  /** The payload of a reply that is a long bulk, which is not in {@link #bytes}; null otherwise. */
  private byte @Nullable [] longBulk;

  private byte[] slice = bytes;
  private int sliceFrom;
  private int sliceLength;
  private int chunksLength;

  ReplyReader() {}

  /** Creates a cursor over a reply returned by {@link #copy}. */
  public static ReplyReader over(byte[] reply) {
    ReplyReader reader = new ReplyReader();
    reader.reset(reply, 0, reply.length, null);
    return reader;
  }

  /** Copies the unread rest of this reply, to be read later or more than once. */
  public byte[] copy() {
    byte[] apart = longBulk;
    if (apart == null || position == to) return Arrays.copyOfRange(bytes, position, to);
    byte[] joined = new byte[to - position + apart.length];
    int header = to - 2 - position;
    System.arraycopy(bytes, position, joined, 0, header);
    System.arraycopy(apart, 0, joined, header, apart.length);
    System.arraycopy(bytes, to - 2, joined, header + apart.length, 2);
    return joined;
  }

  /** Moves to the reply in [from, end); the payload of a long bulk is in an array of its own. */
  void reset(byte[] buffer, int from, int end, byte @Nullable [] payload) {
    bytes = buffer;
    position = from;
    to = end;
    longBulk = payload;
  }

  /** Whether this reply has unread values. */
  public boolean hasNext() {
    skipEnds();
    return position < to;
  }

  /** The type of the next value, which stays unread. */
  public ReplyType type() {
    int at = toValue();
    return switch (bytes[at]) {
      case '$' -> bytes[at + 1] == '-' ? ReplyType.NULL : ReplyType.BULK;
      case '+' -> ReplyType.SIMPLE;
      case ':' -> ReplyType.INTEGER;
      case '*' -> bytes[at + 1] == '-' ? ReplyType.NULL : ReplyType.ARRAY;
      case '-', '!' -> ReplyType.ERROR;
      case '_' -> ReplyType.NULL;
      case '#' -> ReplyType.BOOLEAN;
      case ',' -> ReplyType.DOUBLE;
      case '(' -> ReplyType.BIG_NUMBER;
      case '=' -> ReplyType.VERBATIM;
      case '%' -> ReplyType.MAP;
      case '~' -> ReplyType.SET;
      case '>' -> ReplyType.PUSH;
      default -> throw new IllegalStateException("not a value: byte=" + bytes[at]);
    };
  }

  /** Takes the next value if it is a null of any form; returns whether it was. */
  public boolean readNull() {
    if (type() != ReplyType.NULL) return false;
    position = afterLine(position);
    return true;
  }

  // ---- scalars

  /** Reads an integer, text that holds one, or a boolean as 1 or 0. */
  public long readLong() {
    int at = toValue();
    if (bytes[at] == ':') {
      int cr = lineEnd(at);
      position = cr + 2;
      return Numbers.parseLong(bytes, at + 1, cr, NOT_A_NUMBER);
    }
    if (bytes[at] == '#') return readBoolean() ? 1 : 0;
    text("integer");
    return Numbers.parseLong(slice, sliceFrom, sliceFrom + sliceLength, NOT_A_NUMBER);
  }

  /** Reads a double, an integer, or text that holds either, inf, -inf or nan. */
  public double readDouble() {
    text("double");
    if (!Numbers.isDouble(slice, sliceFrom, sliceFrom + sliceLength)) {
      throw new ReplyTypeException("not a double: " + sliceAsString());
    }
    char last = (char) slice[sliceFrom + sliceLength - 1];
    if (last == 'f') {
      return slice[sliceFrom] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (last == 'n') return Double.NaN;
    return Double.parseDouble(new String(slice, sliceFrom, sliceLength, US_ASCII));
  }

  /** Reads a boolean, or the integer 1 or 0. */
  public boolean readBoolean() {
    int at = toValue();
    if (bytes[at] == '#') {
      position = at + 4;
      return bytes[at + 1] == 't';
    }
    long value = readLong();
    if (value != 0 && value != 1) throw new ReplyTypeException("not a boolean: integer=" + value);
    return value == 1;
  }

  /** Reads a big number, an integer, or text that holds either. */
  public BigInteger readBigInteger() {
    text("big number");
    if (!Numbers.isBigNumber(slice, sliceFrom, sliceFrom + sliceLength)) {
      throw new ReplyTypeException("not a big number: " + sliceAsString());
    }
    return new BigInteger(sliceAsString());
  }

  /** Reads text of any type, or null, as UTF-8. Malformed bytes become U+FFFD. */
  public @Nullable String readString() {
    return readNull() ? null : readText(ReplyReader::utf8);
  }

  /** Reads text of any type, or null, as a byte array that belongs to the caller. */
  public byte @Nullable [] readBytes() {
    if (readNull()) return null;
    text("text");
    return slice == longBulk
        ? slice
        : Arrays.copyOfRange(slice, sliceFrom, sliceFrom + sliceLength);
  }

  /**
   * Reads text of any type (bulk, simple, verbatim without its format, numbers as written) and
   * passes it to {@code function} in place.
   */
  public <T extends @Nullable Object> T readText(BytesFunction<T> function) {
    text("text");
    return function.apply(slice, sliceFrom, sliceLength);
  }

  /** Reads an error and returns its whole message, such as {@code "ERR unknown command"}. */
  public String readError() {
    int at = toValue();
    if (bytes[at] == '-') {
      line(at);
    } else if (bytes[at] == '!') {
      payload(at);
    } else {
      throw new ReplyTypeException("error expected: type=" + type());
    }
    return sliceAsString();
  }

  // ---- aggregates

  /**
   * Enters an array, set or push, or a map whose keys and values then count as alternating
   * elements.
   *
   * @return the number of elements that follow, -1 for null
   */
  public int readArray() {
    int at = toValue();
    byte type = bytes[at];
    if (type == '*' || type == '~' || type == '>') return enter(at);
    if (type == '%') return 2 * enter(at);
    if (readNull()) return -1;
    throw new ReplyTypeException("array expected: type=" + type());
  }

  /**
   * Enters a map, or an array of alternating keys and values.
   *
   * @return the number of key-value pairs that follow, -1 for null
   */
  public int readMap() {
    int at = toValue();
    if (bytes[at] == '%') return enter(at);
    int elements = readArray();
    if (elements > 0 && (elements & 1) != 0) {
      throw new ReplyTypeException("map expected: array of " + elements);
    }
    return elements < 0 ? -1 : elements / 2;
  }

  /** Skips the next value and everything inside it. */
  public void skip() {
    int at = toValue();
    switch (bytes[at]) {
      case '$' -> {
        if (bytes[at + 1] == '-') position = afterLine(at);
        else if (bytes[at + 1] == '?') skipChunks(afterLine(at));
        else skipPayload(at);
      }
      case '!', '=' -> skipPayload(at);
      case '*', '%', '~', '>' -> {
        int elements = readArray();
        for (int i = 0; i < elements; i++) skip();
        skipEnds();
      }
      default -> position = afterLine(at);
    }
  }

  /**
   * Lets {@code read} read the next value, and then moves behind that value, however much of it was
   * read and even if {@code read} threw.
   */
  public <T extends @Nullable Object> T readOne(Function<ReplyReader, T> read) {
    int start = toValue();
    try {
      return read.apply(this);
    } finally {
      position = start;
      skip();
    }
  }

  // ---- in-place helpers

  /** Moves to the next value's type byte, skipping ends of streamed aggregates and attributes. */
  private int toValue() {
    skipEnds();
    if (position >= to) throw new ReplyTypeException("no value left in this reply");
    if (bytes[position] == '|') skipAttribute();
    return position;
  }

  private void skipEnds() {
    while (position < to && bytes[position] == '.') position += 3;
  }

  private void skipAttribute() {
    while (bytes[position] == '|') {
      int elements = 2 * header(position);
      for (int i = 0; i < elements; i++) skip();
      skipEnds();
    }
  }

  /** Enters the aggregate at {@code at}; returns the number of elements, or of pairs for a map. */
  private int enter(int at) {
    if (bytes[at + 1] == '-') {
      position = afterLine(at);
      return -1;
    }
    return bytes[at + 1] == '?' ? enterStreamed(at) : header(at);
  }

  /** Counts the elements of a streamed aggregate by skipping over them once. */
  private int enterStreamed(int at) {
    int first = afterLine(at);
    position = first;
    int elements = 0;
    while (bytes[position] != '.') {
      skipOne();
      elements++;
    }
    position = first;
    return bytes[at] == '%' ? elements / 2 : elements;
  }

  /** Skips one value and the end of its own streamed aggregate, but not the end of its parent's. */
  private void skipOne() {
    if (bytes[position] == '|') {
      int elements = 2 * header(position);
      for (int i = 0; i < elements; i++) skipOne();
      skipOne();
      return;
    }
    byte type = bytes[position];
    if (type != '*' && type != '%' && type != '~' && type != '>') {
      skip();
    } else if (bytes[position + 1] == '?') {
      position = afterLine(position);
      while (bytes[position] != '.') skipOne();
      position += 3;
    } else if (bytes[position + 1] == '-') {
      position = afterLine(position);
    } else {
      int elements = type == '%' ? 2 * header(position) : header(position);
      for (int i = 0; i < elements; i++) skipOne();
    }
  }

  /** Returns the number in the header at {@code at} and moves behind the header. */
  private int header(int at) {
    int i = at + 1;
    int number = 0;
    for (byte b = bytes[i]; b != '\r'; b = bytes[++i]) number = 10 * number + (b - '0');
    position = i + 2;
    return number;
  }

  /** Sets the slice to the text of the next value. */
  private void text(String wanted) {
    int at = toValue();
    switch (bytes[at]) {
      case '$' -> {
        if (bytes[at + 1] == '-') throw new ReplyTypeException(wanted + " expected: type=NULL");
        if (bytes[at + 1] == '?') chunks(afterLine(at));
        else payload(at);
      }
      case '+', ':', ',', '(' -> line(at);
      case '=' -> {
        payload(at);
        sliceFrom += 4;
        sliceLength -= 4;
      }
      case '#' -> {
        line(at);
      }
      default -> throw new ReplyTypeException(wanted + " expected: type=" + type());
    }
  }

  private void line(int at) {
    int cr = lineEnd(at);
    slice = bytes;
    sliceFrom = at + 1;
    sliceLength = cr - sliceFrom;
    position = cr + 2;
  }

  private void payload(int at) {
    int length = header(at);
    sliceLength = length;
    if (longBulk != null) {
      slice = longBulk;
      sliceFrom = 0;
      position += 2;
    } else {
      slice = bytes;
      sliceFrom = position;
      position += length + 2;
    }
  }

  private void skipPayload(int at) {
    int length = header(at);
    position += longBulk == null ? length + 2 : 2;
  }

  private void chunks(int first) {
    skipChunks(first);
    byte[] joined = new byte[chunksLength];
    int used = 0;
    position = first;
    for (int length = header(position); length > 0; length = header(position)) {
      System.arraycopy(bytes, position, joined, used, length);
      used += length;
      position += length + 2;
    }
    slice = joined;
    sliceFrom = 0;
    sliceLength = used;
  }

  private void skipChunks(int first) {
    position = first;
    chunksLength = 0;
    for (int length = header(position); length > 0; length = header(position)) {
      chunksLength += length;
      position += length + 2;
    }
  }

  private int lineEnd(int at) {
    int i = at + 1;
    while (bytes[i] != '\r') i++;
    return i;
  }

  private int afterLine(int at) {
    return lineEnd(at) + 2;
  }

  private String sliceAsString() {
    return new String(slice, sliceFrom, sliceLength, UTF_8);
  }

  /** The short status replies are constants: no allocation for OK, PONG and QUEUED. */
  private static String utf8(byte[] from, int offset, int length) {
    if (length == 2 && from[offset] == 'O' && from[offset + 1] == 'K') return "OK";
    if (length == 4 && is(from, offset, "PONG")) return "PONG";
    if (length == 6 && is(from, offset, "QUEUED")) return "QUEUED";
    return new String(from, offset, length, UTF_8);
  }

  private static boolean is(byte[] from, int offset, String word) {
    for (int i = 0; i < word.length(); i++) {
      if (from[offset + i] != word.charAt(i)) return false;
    }
    return true;
  }
}
