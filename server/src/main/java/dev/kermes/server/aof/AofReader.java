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
 * Stricter than Redis, which looks at no line end behind an argument.
 */
public final class AofReader implements Closeable {

  private static final int BUFFER = 1 << 20;
  private static final int ARGUMENTS_MAX = 1024 * 1024;
  private static final int HEADER_MAX = 32;
  private static final int ANNOTATION_MAX = 1024;

  /** A line that has not ended yet. */
  private static final int NO_LINE = -1;

  private final InputStream in;
  private byte[] buffer = new byte[BUFFER];
  private int at;
  private int limit;
  private int[] slices = new int[32];

  // The commands that were read last
  private int count;
  private int[] firstSlices = new int[2];
  private long[] offsets = new long[1];

  /** What the buffer's first byte is in the file. */
  private long before;

  /** Reads a file from an offset on, and closes it in the end. */
  public AofReader(InputStream file, long offset) throws IOException {
    in = file;
    in.skipNBytes(offset);
    before = offset;
  }

  /** Where the command begins in the file. */
  public long commandOffset(int command) {
    return offsets[command];
  }

  /** Where the last one ends. */
  public long offset() {
    return before + at;
  }

  public byte[] bytes() {
    return buffer;
  }

  /** Offset and length of every argument, in pairs, from {@link #firstSlice} of a command on. */
  public int[] slices() {
    return slices;
  }

  /** Index in {@link #slices()} of the command's first argument. */
  public int firstSlice(int command) {
    return firstSlices[command];
  }

  public int argumentCount(int command) {
    return firstSlices[command + 1] - firstSlices[command] >> 1;
  }

  /**
   * Reads the next commands: one, and of those behind it what is at hand, until there are {@code
   * commandsMax}. Returns how many, 0 at the end; they are valid until the next call.
   *
   * @throws AofException if the next one is none, or only the beginning of one
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
      return count; // the next call meets it again
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

  /** Parses a command, and adds it to the others; false if it is not all there. */
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

  /** Where the line end begins of a line, at most so long; {@link #NO_LINE} if it is not there. */
  private int lineEnd(int start, int lengthMax) throws AofException {
    int last = (int) Math.min(limit - 1L, (long) start + lengthMax);
    for (int i = start; i < last; i++) {
      if (buffer[i] == '\r' && buffer[i + 1] == '\n') return i;
    }
    if (last < limit - 1) throw wrong("a line does not end", false);
    return NO_LINE;
  }

  /** The number behind a letter; -1 if it is none. */
  private int number(char letter, int start, int end) {
    if (buffer[start] != letter || end - start < 2 || end - start > 11) return -1;
    long number = 0;
    for (int i = start + 1; i < end; i++) {
      if (buffer[i] < '0' || buffer[i] > '9') return -1;
      number = number * 10 + buffer[i] - '0';
    }
    return number > Integer.MAX_VALUE - 64 ? -1 : (int) number;
  }

  /** There is no such command as that one. */
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

  /** Reads on, keeping what has not been read, which becomes the buffer's beginning. */
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
