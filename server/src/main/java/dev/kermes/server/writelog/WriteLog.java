package dev.kermes.server.writelog;

import dev.kermes.resp.RespWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The one ordered log of effects: the changes made by commands, in a form that has the same result
 * on the same data at any time. The append only file and replicas read it; without a reader nothing
 * is written.
 *
 * <pre>
 *   a unit that is under way     |op|op|op|      a command, EXEC, a script, a served client
 *   to each reader at its end    SELECT n op     or   MULTI SELECT n op SELECT m op op EXEC
 * </pre>
 *
 * Ops are encoded once; each reader has its own selected database. Guarded by the keyspace lock.
 */
public final class WriteLog {

  private static final byte[] MULTI = "*1\r\n$5\r\nMULTI\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EXEC = "*1\r\n$4\r\nEXEC\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Larger buffers are not kept for reuse. */
  private static final int BUFFER_KEPT = 256 * 1024;

  private static final int NO_DATABASE = -1;

  private static final class Reader {
    private final LogSink sink;
    private int selected = NO_DATABASE;

    /** Ops of the present unit from before this reader was added. */
    private int skipped;

    Reader(LogSink sink) {
      this.sink = sink;
    }
  }

  private final List<Reader> readers = new ArrayList<>();
  private boolean isRead;

  private final RespWriter ops = new RespWriter(1024);
  private final RespWriter unit = new RespWriter(1024);
  private int count;
  private int[] ends = new int[8];
  private int[] databases = new int[8];
  private int[] audiences = new int[8];
  private int audience = LogSink.ALL;

  /** Whether the present unit stays open, since its script was suspended. */
  private boolean isHeld;

  /** Whether no reader is to see the present unit. */
  private boolean isAbandoned;

  private Runnable onGap = () -> {};

  /** Sets the action to run when a change could not be logged for lack of memory. */
  public void onGap(Runnable action) {
    onGap = action;
  }

  /** Keeps the present unit open while a script is suspended. */
  public void hold(boolean isHeld) {
    this.isHeld = isHeld;
  }

  /**
   * Hides the whole present unit from the readers, since it was cut short: all of it or nothing. A
   * unit without ops needs no end, so it must not hide the next one.
   */
  public void abandonUnit() {
    isAbandoned = count > 0;
  }

  /** Whether there is a reader, so that changes need to be logged. */
  public boolean isRead() {
    return isRead;
  }

  /** Adds a reader, which sees all effects from now on. */
  public void add(LogSink sink) {
    Reader reader = new Reader(sink);
    reader.skipped = count;
    readers.add(reader);
    isRead = true;
  }

  public void remove(LogSink sink) {
    readers.removeIf(reader -> reader.sink == sink);
    isRead = !readers.isEmpty();
  }

  /** Makes a reader's next op begin with SELECT, since a file or a replica starts without one. */
  public void reselect(LogSink sink) {
    for (Reader reader : readers) if (reader.sink == sink) reader.selected = NO_DATABASE;
  }

  /** The database that a reader's next op applies to without SELECT; 0 at first. */
  public int selected(LogSink sink) {
    for (Reader reader : readers) if (reader.sink == sink) return Math.max(0, reader.selected);
    return 0;
  }

  // Ops

  /** Sets the readers of ops from now on: {@link LogSink#ALL} or a part of them. */
  public void audience(int readersMeant) {
    audience = readersMeant;
  }

  /** Appends a command as it was sent. */
  public void append(int database, byte[] bytes, int[] slices, int first, int argc) {
    encode(bytes, slices, first, argc);
    end(database, audience);
  }

  /** Appends a different command. */
  public void append(int database, List<byte[]> arguments) {
    int mark = ops.size();
    try {
      ops.array(arguments.size());
      for (byte[] argument : arguments) ops.bulk(argument);
    } catch (OutOfMemoryError e) {
      dropBrokenOp(mark);
    }
    end(database, audience);
  }

  /** Appends a command that publishes a message. */
  public void appendMessage(int database, byte[] bytes, int[] slices, int first, int argc) {
    encode(bytes, slices, first, argc);
    end(database, audience & LogSink.REPLICAS);
  }

  private void encode(byte[] bytes, int[] slices, int first, int argc) {
    int mark = ops.size();
    try {
      ops.array(argc);
      for (int i = first; i < first + 2 * argc; i += 2) ops.bulk(bytes, slices[i], slices[i + 1]);
    } catch (OutOfMemoryError e) {
      dropBrokenOp(mark);
    }
  }

  /** Replaces an op that memory was too short for by an empty one; the change itself stays. */
  private void dropBrokenOp(int mark) {
    ops.truncate(mark);
    onGap.run();
  }

  private void end(int database, int readersMeant) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      databases = Arrays.copyOf(databases, 2 * count);
      audiences = Arrays.copyOf(audiences, 2 * count);
    }
    ends[count] = ops.size();
    databases[count] = database;
    audiences[count] = readersMeant;
    count++;
  }

  // Units

  /** The bytes of the ops since the last end. */
  public long unitBytes() {
    return ops.size();
  }

  /** Whether no op has been appended since the last end. */
  public boolean isEmpty() {
    return count == 0;
  }

  /** Passes the ops since the last end to the readers, unless a script is suspended. */
  public void endUnit() {
    end(true);
  }

  /** Does the same for independent ops, without a transaction around them. */
  public void endOps() {
    end(false);
  }

  private void end(boolean isWhole) {
    if (count == 0 || isHeld) return;
    boolean isTold = true;
    for (Reader reader : readers) {
      if (!isAbandoned) isTold &= tell(reader, isWhole);
      reader.skipped = 0;
    }
    isAbandoned = false;
    ops.clear(BUFFER_KEPT);
    count = 0;
    if (!isTold) onGap.run();
  }

  private boolean tell(Reader reader, boolean isWhole) {
    try {
      write(reader, isWhole);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void write(Reader reader, boolean isWhole) {
    boolean isUsual = count == 1 && databases[0] == reader.selected && audiences[0] == LogSink.ALL;
    if (isUsual && reader.skipped == 0) reader.sink.append(ops.bytes(), 0, ops.size());
    else writeUnit(reader, isWhole);
  }

  private void writeUnit(Reader reader, boolean isWhole) {
    int shown = 0;
    int first = 0;
    for (int i = count - 1; i >= 0; i--) {
      if (!isFor(reader, i)) continue;
      shown++;
      first = i;
    }
    if (shown == 0) return;
    unit.clear(BUFFER_KEPT);
    boolean isTransaction = isWhole && shown > 1;
    select(reader, first); // before MULTI, as in Redis
    if (isTransaction) unit.raw(MULTI);
    for (int i = 0; i < count; i++) if (isFor(reader, i)) writeOp(reader, i);
    if (isTransaction) unit.raw(EXEC);
    reader.sink.append(unit.bytes(), 0, unit.size());
  }

  private boolean isFor(Reader reader, int op) {
    return op >= reader.skipped && (audiences[op] & reader.sink.audience()) != 0;
  }

  private void select(Reader reader, int op) {
    if (databases[op] == reader.selected) return;
    reader.selected = databases[op];
    unit.array(2);
    unit.bulk("SELECT");
    unit.bulk(reader.selected);
  }

  private void writeOp(Reader reader, int op) {
    select(reader, op);
    int start = op == 0 ? 0 : ends[op - 1];
    unit.raw(ops.bytes(), start, ends[op] - start);
  }
}
