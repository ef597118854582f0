package dev.kermes.server.engine;

import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.rdb.RdbException;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces all data by a master's copy of its own, some keys at a time. On a thread of its own.
 *
 * <pre>
 *   file             the old data go when all of the copy is there; it becomes the server's RDB file
 *   stream           they go when it begins to come: what is lost on its way leaves nothing
 *   stream, swapdb   they stay until all of it is loaded beside them; of the same history they are served
 * </pre>
 */
public final class CopyLoader {

  private static final Logger LOG = LoggerFactory.getLogger(CopyLoader.class);

  private final Engine engine;
  private final FileOptions files;
  private final String history;
  private final long offset;
  private final String mode;
  private int streamDatabase;
  private volatile boolean isGivenUp;

  /** For a copy whose data are those of {@code history} at {@code offset}; with the floor. */
  public CopyLoader(Engine engine, String history, long offset) {
    this.engine = engine;
    files = engine.settings().fileOptions();
    this.history = history;
    this.offset = offset;
    mode = engine.replication().options().disklessLoad;
  }

  /** Whether it is to be loaded while it comes, and not from a file; with the floor. */
  public boolean wantsStream() {
    boolean isEmpty = engine.databases().stream().allMatch(database -> database.size() == 0);
    return !mode.equals("disabled") && (isEmpty || !mode.equals("on-empty-db"));
  }

  /** Leaves it; what has been loaded so far is thrown away. Any thread. */
  public void giveUp() {
    isGivenUp = true;
  }

  // From a file

  /**
   * Loads a file that has all of the copy, and makes it the server's own.
   *
   * @throws IOException if it cannot be read or kept, is not sound, or was given up; the old data
   *     are there then, or none
   */
  public void load(Path file) throws IOException {
    long size = Files.size(file);
    try (InputStream in = files.disk.read(file)) {
      RdbInput input = new RdbInput(in, size);
      RdbReader reader = engine.persistence().reader(input);
      reader.readHeader(); // before the data that it replaces are gone
      Path kept = keep(file);
      try {
        replace(reader, input, size, file);
      } catch (RdbException e) {
        if (!kept.equals(file)) files.disk.delete(kept); // or the next start would be refused
        throw e;
      }
      if (!kept.equals(file)) forgetUnwanted(kept);
    }
  }

  /** Brings it to the disk, and in the place of the RDB file; returns where it is then. */
  private Path keep(Path file) throws IOException {
    Path rdb = files.rdb();
    if (rdb == null) return file;
    giveUpSave();
    try (DiskFile written = files.disk.open(file)) {
      written.sync();
    }
    if (engine.appendOnly().isOn()) return file; // its base
    try {
      files.disk.move(file, rdb);
    } catch (IOException e) {
      throw new IOException(
          "Failed trying to rename the temp DB into %s in MASTER <-> REPLICA synchronization: %s"
              .formatted(files.rdbName, e),
          e);
    }
    files.disk.syncFolder(Objects.requireNonNull(rdb.getParent()));
    return rdb;
  }

  /** Of the old data; it would take the copy's place. */
  private void giveUpSave() throws IOException {
    try {
      engine.persistence().giveUpSave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void forgetUnwanted(Path kept) throws IOException {
    boolean isKept = files.appendOnly || !files.savePoints.isEmpty() || !files.deletesCopies;
    if (isKept) return;
    LOG.info(
        "Removing the RDB file obtained from the master. This replica has persistence disabled");
    files.disk.delete(kept);
  }

  private void replace(RdbReader reader, RdbInput input, long size, Path file) throws IOException {
    boolean isWhole = false;
    begin(size);
    try {
      read(reader, input, Dataset.served(engine));
      isWhole = true;
    } finally {
      end(isWhole, file);
    }
  }

  // While it comes

  /**
   * Loads what comes through a stream, up to the mark at its end.
   *
   * @param length of all, without the mark; -1 if only the mark tells
   * @throws IOException if it breaks off, is not sound, or was given up; the old data are there
   *     then with {@code swapdb}, else none
   */
  public void load(InputStream in, long length, byte[] mark) throws IOException {
    RdbInput input = RdbInput.arriving(in, length < 0 ? Long.MAX_VALUE : length);
    try {
      RdbReader reader = engine.persistence().reader(input);
      reader.readHeader();
      if (mode.equals("swapdb")) swap(reader, input, length, mark);
      else replace(reader, input, length, mark);
    } catch (IOException e) {
      LOG.warn(
          "Internal error in RDB reading offset {}: {}. Failure loading rdb format from socket,"
              + " assuming connection error, resuming operation.",
          input.offset(),
          e.getMessage());
      throw e;
    }
  }

  private void replace(RdbReader reader, RdbInput input, long length, byte[] mark)
      throws IOException {
    boolean isWhole = false;
    begin(length);
    try {
      read(reader, input, Dataset.served(engine));
      checkEnd(input, mark);
      isWhole = true;
    } finally {
      end(isWhole, null);
    }
  }

  private void swap(RdbReader reader, RdbInput input, long length, byte[] mark) throws IOException {
    boolean isWhole = false;
    Dataset fresh = Dataset.beside(engine);
    withFloor(() -> {
      boolean isSameHistory = engine.replication().id().equals(history);
      engine.loading().beginsBeside(fresh, isSameHistory);
      engine.loading().expect(Math.max(0, length));
    });
    try {
      read(reader, input, fresh);
      checkEnd(input, mark);
      isWhole = true;
    } finally {
      boolean isSound = isWhole;
      withFloor(() -> {
        if (isSound) takeOver(fresh);
        engine.loading().ends();
      });
    }
  }

  private void takeOver(Dataset fresh) {
    engine.replication().dataGo();
    engine.replaceData(fresh);
    engine.replication().dataCame(history, offset, streamDatabase);
    engine.appendOnly().dataReplaced(null);
  }

  private static void checkEnd(RdbInput input, byte[] mark) throws IOException {
    if (mark.length == 0
        ? input.remaining() > 0
        : !Arrays.equals(input.getBytes(mark.length), mark)) {
      throw new IOException("the copy does not end where it should");
    }
  }

  // Either way

  private void begin(long length) throws IOException {
    withFloor(() -> {
      engine.replication().dataGo();
      engine.loading().begins();
      engine.loading().expect(Math.max(0, length));
      engine.clear();
    });
  }

  private void read(RdbReader reader, RdbInput input, Dataset into) throws IOException {
    RdbReader.Sink data = engine.persistence().sink(into);
    KeyBatches batches = new KeyBatches(engine, input, into.databases(), data);
    reader.read(new Copy(batches));
    batches.end();
  }

  /** {@code kept} is the file that an append only file may begin with, if there is one. */
  private void end(boolean isSound, @Nullable Path kept) throws IOException {
    withFloor(() -> {
      if (isSound) engine.replication().dataCame(history, offset, streamDatabase);
      else engine.clear();
      engine.loading().ends();
      engine.appendOnly().dataReplaced(isSound ? kept : null);
    });
  }

  private <E extends Exception> void withFloor(Engine.Work<E> work) throws E {
    engine.withFloor(() -> {
      engine.readClock();
      work.run();
    });
  }

  private final class Copy implements RdbReader.Sink {

    private final KeyBatches batches;

    Copy(KeyBatches batches) {
      this.batches = batches;
    }

    @Override
    public void aux(String name, byte[] value) {
      String text = new String(value, StandardCharsets.US_ASCII);
      if (name.equals("repl-stream-db")) streamDatabase = Integer.parseInt(text);
      if (name.equals("used-mem")) engine.withFloor(() -> usedMemory(text));
    }

    private void usedMemory(String text) {
      if (text.matches("\\d{1,18}")) engine.loading().usedMemory(Long.parseLong(text));
    }

    @Override
    public void library(byte[] text) throws IOException {
      batches.library(text);
    }

    @Override
    public void expect(int keys) throws IOException {
      batches.expect(keys);
    }

    @Override
    public void database(int index) throws IOException {
      batches.database(index);
    }

    @Override
    public void usage(RdbReader.Usage usage) {
      batches.usage(usage);
    }

    @Override
    public void key(Object slot) throws IOException {
      if (isGivenUp) throw new IOException("loading was given up");
      batches.key(slot);
    }
  }
}
