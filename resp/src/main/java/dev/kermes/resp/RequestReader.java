package dev.kermes.resp;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Incremental parser of requests: multibulk and inline, any split of the stream.
 *
 * <pre>
 *   bytes   |*2\r\n$3\r\nGET\r\n$1\r\na\r\n|*1\r\n$4\r\nPI|      |
 *            command 0                      partial       ^end
 *   slices  [8,3] [17,1]                    of the partial one: none yet
 * </pre>
 *
 * Arguments are slices of the input, valid until {@link #release()}. An incomplete command stays
 * for the next call. Nothing is scanned twice, so a peer that sends one byte at a time costs no
 * more than one that sends everything at once.
 *
 * <p>Per byte; no allocation beyond growth. Owned by one event loop.
 */
public final class RequestReader {

  /** The longest inline request: Redis's PROTO_INLINE_MAX_SIZE. */
  private static final int LINE_LENGTH_MAX = 64 * 1024;

  /** The capacity of the new array after {@link #giveAway()}. */
  private static final int FRESH_CAPACITY = 64 * 1024;

  private static final int DONE = 1;
  private static final int INCOMPLETE = 0;
  private static final int MALFORMED = -1;

  private final SpareArrays spares;
  private byte[] bytes;
  private int end;

  private int count;
  private int next;
  private boolean mayHaveMore;
  private boolean isGivenAway;
  private int[] firstSlices = new int[33];
  private int[] slices = new int[128];
  private int sliceCount;

  // Where parsing stopped
  private int partialStart;
  private int position;
  private int argumentsLeft = -1;
  private int bulkLength = -1;
  private int lineScanned;
  private long number;
  private @Nullable String error;

  /** Creates a reader whose buffer holds {@code capacity} bytes at first. */
  public RequestReader(int capacity) {
    this(capacity, new SpareArrays(0));
  }

  /** The same, with arrays for long bulks from a collection, which gets them back. */
  public RequestReader(int capacity, SpareArrays spares) {
    this.spares = spares;
    bytes = fresh(capacity);
  }

  /**
   * Makes room for {@code length} more bytes; the caller writes them at {@link #end()} and then
   * calls {@link #advance}.
   */
  public byte[] reserve(int length) {
    boolean isFull = bytes.length - end < length;
    if (isFull || BulkRoom.isOutgrown(bytes.length, position, bulkLength, end + length)) {
      grow(length);
    }
    return bytes;
  }

  private void grow(int length) {
    byte[] outgrown = bytes;
    int whole = BulkRoom.ofSpareArray(position, bulkLength);
    byte[] spare = whole - end >= length ? spares.take(whole) : null;
    if (spare != null) {
      System.arraycopy(outgrown, 0, spare, 0, end);
      bytes = spare;
    } else {
      long grown = BulkRoom.grown(outgrown.length, position, bulkLength, end, length);
      long wanted = Math.max(grown, (long) end + length);
      bytes = Arrays.copyOf(outgrown, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
    }
    if (!isGivenAway) spares.give(outgrown);
    isGivenAway = false;
  }

  /** The index in {@link #bytes} at which the next input is to be stored. */
  public int end() {
    return end;
  }

  /** Notes that {@code length} bytes were stored at {@link #end}. */
  public void advance(int length) {
    end += length;
    mayHaveMore = true;
  }

  /** Appends input given as an array. */
  public void append(byte[] input, int offset, int length) {
    System.arraycopy(input, offset, reserve(length), end, length);
    advance(length);
  }

  /**
   * Moves the held input and the parsed commands to another reader, which must be empty. This
   * reader is empty afterwards; both keep their arrays.
   */
  public void moveTo(RequestReader other) {
    System.arraycopy(bytes, 0, other.reserve(end), 0, end);
    other.end = end;
    other.mayHaveMore = mayHaveMore;
    other.count = count;
    other.next = next;
    if (other.firstSlices.length < count + 2) other.firstSlices = new int[count + 2];
    System.arraycopy(firstSlices, 0, other.firstSlices, 0, count + 1);
    if (other.slices.length < sliceCount + 2) other.slices = new int[sliceCount + 2];
    System.arraycopy(slices, 0, other.slices, 0, sliceCount);
    other.sliceCount = sliceCount;
    other.partialStart = partialStart;
    other.position = position;
    other.argumentsLeft = argumentsLeft;
    other.bulkLength = bulkLength;
    other.lineScanned = lineScanned;
    other.error = error;
    clear();
  }

  /**
   * Gives {@link #bytes()} away to the caller, who keeps an argument of a taken command in it. With
   * the next {@link #release()} the reader continues in a new array.
   */
  public void giveAway() {
    isGivenAway = true;
  }

  /** Drops everything held, parsed or not. */
  public void clear() {
    if (isGivenAway) bytes = fresh(FRESH_CAPACITY);
    isGivenAway = false;
    end = 0;
    mayHaveMore = false;
    count = 0;
    next = 0;
    sliceCount = 0;
    partialStart = 0;
    position = 0;
    argumentsLeft = -1;
    bulkLength = -1;
    lineScanned = 0;
    error = null;
  }

  /** Parses complete commands, up to {@code commandsMax}. */
  public void parse(RespLimits limits, int commandsMax) {
    mayHaveMore = false;
    while (count < commandsMax && error == null) {
      if (argumentsLeft < 0 && !parseStart(limits)) return;
      if (!parseArguments(limits)) return;
      finishCommand();
    }
    mayHaveMore = error == null && position < end;
  }

  /** The number of parsed commands that have not been taken yet. */
  public int remaining() {
    return count - next;
  }

  /** Whether a parsed command has not been taken yet. */
  public boolean hasNext() {
    return next < count;
  }

  /**
   * Takes the next command; returns its index for {@link #firstSlice} and {@link #argumentCount}.
   */
  public int next() {
    return next++;
  }

  /** Puts the command that was taken last back, to be taken again later. */
  public void putBack() {
    next--;
  }

  /** The index of the command that {@link #next()} will return after {@code i} others. */
  public int peek(int i) {
    return next + i;
  }

  /** Whether the unparsed input may contain further complete commands. */
  public boolean mayHaveMore() {
    return mayHaveMore;
  }

  /** The array that holds the arguments. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Offset and length of every argument, in pairs; a command's pairs start at its {@link
   * #firstSlice}.
   */
  public int[] slices() {
    return slices;
  }

  /** The index in {@link #slices()} of the command's first argument. */
  public int firstSlice(int command) {
    return firstSlices[command];
  }

  /** The number of arguments of a command, its name included. */
  public int argumentCount(int command) {
    return firstSlices[command + 1] - firstSlices[command] >> 1;
  }

  /** The index of a command's first byte; for multibulk commands only. */
  public int start(int command) {
    return command == 0 ? 0 : end(command - 1);
  }

  /** The index after a command's last byte; for multibulk commands only. */
  public int end(int command) {
    int last = firstSlices[command + 1] - 2;
    return slices[last] + slices[last + 1] + 2;
  }

  /** The error in the input after the parsed commands, or null. */
  public @Nullable String error() {
    return error;
  }

  /** Whether nothing is held: no parsed command and no incomplete one. */
  public boolean isDrained() {
    return next == count && partialStart == end;
  }

  /** The number of bytes held: commands and the input after them. */
  public int size() {
    return end;
  }

  /** The number of bytes held, without the complete arguments of an incomplete command. */
  public int unparsed() {
    return hasNext() ? end : end - position;
  }

  /** The size of the buffer in bytes. */
  public int capacity() {
    return bytes.length;
  }

  /** Drops the commands, all of which must have been taken; keeps the incomplete command. */
  public void release() {
    int shift = partialStart;
    if (shift == 0) return;
    next = 0;
    byte[] target = bytes;
    if (isGivenAway) {
      // The whole of a long bulk, of which this is the start, gets a spare array if there is one.
      int whole = BulkRoom.ofSpareArray(position - shift, bulkLength);
      byte[] spare = whole > end - shift ? spares.take(whole) : null;
      target = spare == null ? fresh(Math.max(FRESH_CAPACITY, end - shift)) : spare;
    }
    System.arraycopy(bytes, shift, target, 0, end - shift);
    bytes = target;
    isGivenAway = false;
    int from = firstSlices[count];
    for (int i = from; i < sliceCount; i += 2) {
      slices[i - from] = slices[i] - shift;
      slices[i - from + 1] = slices[i + 1];
    }
    sliceCount -= from;
    end -= shift;
    position -= shift;
    lineScanned = Math.max(0, lineScanned - shift);
    partialStart = 0;
    count = 0;
  }

  private byte[] fresh(int capacity) {
    byte[] spare = spares.take(capacity);
    return spare == null ? new byte[capacity] : spare;
  }

  /** Gives the array to the spare ones. The reader must not be used afterwards. */
  public void recycle() {
    if (!isGivenAway) spares.give(bytes);
  }

  /** The spare arrays that long bulks arrive in, to which others may give theirs. */
  public SpareArrays spares() {
    return spares;
  }

  private boolean parseStart(RespLimits limits) {
    while (position < end) {
      if (bytes[position] != '*') {
        if (!parseInline()) return false;
        if (argumentsLeft == 0) return true;
        continue;
      }
      int result = readNumber(position + 1);
      if (result == INCOMPLETE) return false;
      if (result == MALFORMED || number > limits.elementsMax()) {
        return fail(limits, "multibulk length", Integer.MAX_VALUE);
      }
      if (number > 0) {
        argumentsLeft = (int) number;
        return true;
      }
      partialStart = position;
    }
    return false;
  }

  private boolean parseArguments(RespLimits limits) {
    while (argumentsLeft > 0) {
      if (bulkLength < 0 && !parseBulkHeader(limits)) return false;
      if (end - position < bulkLength + 2L) return false;
      int after = position + bulkLength;
      if (bytes[after] != '\r' || bytes[after + 1] != '\n') {
        return fail("bulk not followed by CRLF");
      }
      addSlice(position, bulkLength);
      position = after + 2;
      bulkLength = -1;
      argumentsLeft--;
    }
    return true;
  }

  private boolean parseBulkHeader(RespLimits limits) {
    if (position == end) return false;
    if (bytes[position] != '$') {
      return fail("expected '$', got '" + shown(bytes[position]) + "'");
    }
    int result = readNumber(position + 1);
    if (result == INCOMPLETE) return false;
    if (result == MALFORMED || number < 0 || number > limits.bulkLengthMax()) {
      return fail(limits, "bulk length", RespLimits.DEFAULT.bulkLengthMax());
    }
    bulkLength = (int) number;
    return true;
  }

  private void finishCommand() {
    argumentsLeft = -1;
    count++;
    if (count + 1 >= firstSlices.length) firstSlices = Arrays.copyOf(firstSlices, count * 2 + 2);
    firstSlices[count] = sliceCount;
    partialStart = position;
    lineScanned = position;
  }

  private void addSlice(int offset, int length) {
    if (sliceCount + 2 > slices.length) slices = Arrays.copyOf(slices, slices.length * 2);
    slices[sliceCount++] = offset;
    slices[sliceCount++] = length;
  }

  /** Reads digits and CRLF from {@code at}; afterwards the position is after them. */
  private int readNumber(int at) {
    number = 0;
    byte[] in = bytes;
    int i = at;
    if (i == end) return INCOMPLETE;
    boolean negative = in[i] == '-';
    if (negative) i++;
    int firstDigit = i;
    long value = 0;
    for (; i < end; i++) {
      int digit = in[i] - '0';
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    if (i - firstDigit > 18) return MALFORMED;
    boolean hasLeadingZero = i - firstDigit > 1 || negative;
    if (i > firstDigit && in[firstDigit] == '0' && hasLeadingZero) return MALFORMED;
    if (i == end) return INCOMPLETE;
    if (i == firstDigit || in[i] != '\r') return MALFORMED;
    if (i + 1 == end) return INCOMPLETE;
    if (in[i + 1] != '\n') return MALFORMED;
    number = negative ? -value : value;
    position = i + 2;
    return DONE;
  }

  // Inline commands: words separated by blanks, quoted as in a shell

  /**
   * Splits a line into slices (none for an empty line); returns false if no complete line is there.
   */
  private boolean parseInline() {
    int newline = findNewline();
    if (newline < 0) return false;
    int lineEnd = newline > position && bytes[newline - 1] == '\r' ? newline - 1 : newline;
    if (!splitWords(position, lineEnd)) return fail("unbalanced quotes in request");
    position = newline + 1;
    if (sliceCount == firstSlices[count]) {
      partialStart = position;
      lineScanned = position;
    } else {
      argumentsLeft = 0;
    }
    return true;
  }

  private int findNewline() {
    for (int i = Math.max(lineScanned, position); i < end; i++) if (bytes[i] == '\n') return i;
    lineScanned = end;
    if (end - position > LINE_LENGTH_MAX) fail("too big inline request");
    return -1;
  }

  private boolean splitWords(int from, int to) {
    int i = from;
    while (true) {
      while (i < to && InlineSyntax.isBlank(bytes[i])) i++;
      if (i == to) return true;
      i = readWord(i, to);
      if (i < 0) return false;
    }
  }

  /** Unquotes a word in place, which never makes it longer; returns the index after it, or -1. */
  private int readWord(int from, int to) {
    int out = from;
    int i = from;
    byte quote = 0;
    while (i < to) {
      byte b = bytes[i];
      if (quote == 0) {
        if (InlineSyntax.isBlank(b)) break;
        if (b == '"' || b == '\'') quote = b;
        else bytes[out++] = b;
        i++;
      } else if (b == quote) {
        if (i + 1 < to && !InlineSyntax.isBlank(bytes[i + 1])) return -1;
        quote = 0;
        i++;
      } else if (b == '\\' && i + 1 < to) {
        i = InlineSyntax.readEscape(bytes, i, to, quote, out++);
      } else {
        bytes[out++] = b;
        i++;
      }
    }
    if (quote != 0) return -1;
    addSlice(from, out - from);
    return i;
  }

  private static char shown(byte b) {
    return b >= 0 ? (char) b : '?';
  }

  /** Fails for a length that only authenticated clients may use, or that is always invalid. */
  private boolean fail(RespLimits limits, String what, long max) {
    boolean isStrict = limits.elementsMax() == RespLimits.UNAUTHENTICATED.elementsMax();
    boolean isWellFormed = number > 0 && number <= max;
    return fail((isStrict && isWellFormed ? "unauthenticated " : "invalid ") + what);
  }

  private boolean fail(String message) {
    error = message;
    return false;
  }
}
