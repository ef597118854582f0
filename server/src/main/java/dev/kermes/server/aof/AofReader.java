package dev.kermes.server.aof;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the commands of an append only file.
 *
 * <pre>
 *   #TS:1700000000\r\n                        an annotation, skipped
 *   *2\r\n$3\r\nDEL\r\n$1\r\na\r\n            a command
 * </pre>
 *
 * Stricter than Redis, which does not check the line end after an argument.
 */
public final class AofReader implements Closeable {

  private static final int BUFFER = 1 << 20;
  private static final int ARGUMENTS_MAX = 1024 * 1024;
  private static final int HEADER_MAX = 32;
  private static final int ANNOTATION_MAX = 1024;

  /** The result for a line whose end is not in the buffer yet. */
  private static final int NO_LINE = -1;

  private final InputStream in;
  private byte[] buffer = new byte[BUFFER];
  private int at;
  private int limit;
  private int[] slices = new int[32];

  // The commands that the last call read
  private int count;
  private int[] firstSlices = new int[2];
  private long[] offsets = new long[1];

  /** The file offset of the buffer's first byte. */
  private long before;

  /** Reads a file from an offset on; {@link #close} closes the file. */
  public AofReader(InputStream file, long offset) throws IOException {
    in = file;
    in.skipNBytes(offset);
    before = offset;
  }

  /** The file offset at which the command begins. */
  public long commandOffset(int command) {
    return offsets[command];
  }

  /** The file offset at which the last command ends. */
  public long offset() {
    return before + at;
  }

  public byte[] bytes() {
    return buffer;
  }

  /**
   * Offset and length of every argument, in pairs; those of a command begin at {@link #firstSlice}.
   */
  public int[] slices() {
    return slices;
  }

  /** The index in {@link #slices()} of the command's first argument. */
  public int firstSlice(int command) {
    return firstSlices[command];
  }

  public int argumentCount(int command) {
    return firstSlices[command + 1] - firstSlices[command] >> 1;
  }

  /**
   * Reads the next command, and then those after it that are already in the buffer, up to {@code
   * commandsMax} in all. Returns their number, 0 at the end. They are valid until the next call.
   *
   * @throws AofException if the next command is malformed or incomplete
   */
  public int read(int commandsMax) throws IOException {
    if (offsets.length < commandsMax) {
      offsets = new long[commandsMax];
      firstSlices = new int[commandsMax + 1];
    }
    count = 0;
    if (!readOne()) return 0;
    try {
      while (count < commandsMax && at < limit && buffer[at] != '#') {
        if (!parse()) break;
      }
    } catch (AofException e) {
      return count; // the next call finds the error again
    }
    return count;
  }

  private boolean readOne() throws IOException {
    while (true) {
      offsets[0] = before + at;
      if (at == limit && !fill()) return false;
      if (buffer[at] != '#') break;
      skipLine();
    }
    while (!parse()) {
      if (!fill()) throw wrong("the file ends in the middle of a command", true);
    }
    return true;
  }

  private void skipLine() throws IOException {
    int end = lineEnd(at, ANNOTATION_MAX);
    while (end == NO_LINE) {
      if (!fill()) throw wrong("the file ends in the middle of an annotation", true);
      end = lineEnd(at, ANNOTATION_MAX);
    }
    at = end + 2;
  }

  /** Parses a command and adds it to the others; false if the buffer does not have all of it. */
  private boolean parse() throws AofException {
    offsets[count] = before + at;
    int end = lineEnd(at, HEADER_MAX);
    if (end == NO_LINE) return false;
    int arguments = number('*', at, end);
    if (arguments < 1 || arguments > ARGUMENTS_MAX) throw wrong("no number of arguments", false);
    int slice = firstSlices[count];
    int sliceEnd = slice + 2 * arguments;
    if (slices.length < sliceEnd) slices = Arrays.copyOf(slices, 2 * sliceEnd);
    int next = end + 2;
    for (; slice < sliceEnd; slice += 2) {
      end = lineEnd(next, HEADER_MAX);
      if (end == NO_LINE) return false;
      int length = number('$', next, end);
      if (length < 0) throw wrong("no length of an argument", false);
      slices[slice] = end + 2;
      slices[slice + 1] = length;
      long after = end + 2L + length;
      if (after + 2 > limit) return false;
      next = (int) after + 2;
      if (buffer[next - 2] != '\r' || buffer[next - 1] != '\n') {
        throw wrong("an argument is longer or shorter than it says", false);
      }
    }
    firstSlices[++count] = sliceEnd;
    at = next;
    return true;
  }

  /**
   * The index where the line's end begins, or {@link #NO_LINE} if the buffer does not have it. The
   * line may have at most {@code lengthMax} bytes.
   */
  private int lineEnd(int start, int lengthMax) throws AofException {
    int last = (int) Math.min(limit - 1L, (long) start + lengthMax);
    for (int i = start; i < last; i++) {
      if (buffer[i] == '\r' && buffer[i + 1] == '\n') return i;
    }
    if (last < limit - 1) throw wrong("a line does not end", false);
    return NO_LINE;
  }

  /** The number after a letter; -1 if there is no valid number. */
  private int number(char letter, int start, int end) {
    if (buffer[start] != letter || end - start < 2 || end - start > 11) return -1;
    long number = 0;
    for (int i = start + 1; i < end; i++) {
      if (buffer[i] < '0' || buffer[i] > '9') return -1;
      number = number * 10 + buffer[i] - '0';
    }
    return number > Integer.MAX_VALUE - 64 ? -1 : (int) number;
  }

  /** Returns the error for a command that does not exist. */
  public AofException unknownCommand(int command) {
    int slice = firstSlices[command];
    String name = new String(buffer, slices[slice], slices[slice + 1], StandardCharsets.UTF_8);
    return AofException.unknownCommand(name, offsets[command]);
  }

  private AofException wrong(String message, boolean endsEarly) {
    return endsEarly
        ? AofException.endsEarly(message, offsets[count])
        : AofException.wrong(message, offsets[count]);
  }

  /** Reads more input. Moves the bytes that have not been parsed to the start of the buffer. */
  private boolean fill() throws IOException {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    before += at;
    limit -= at;
    at = 0;
    if (limit == buffer.length) buffer = Arrays.copyOf(buffer, grown(buffer.length));
    int count = in.read(buffer, limit, buffer.length - limit);
    if (count > 0) limit += count;
    return count > 0;
  }

  private static int grown(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, 2L * length);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
