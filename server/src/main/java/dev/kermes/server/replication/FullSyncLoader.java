package dev.kermes.server.replication;

import dev.kermes.server.config.FileOptions;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.keyspace.Dataset;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.KeyBatches;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
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
public final class FullSyncLoader {

  private static final Logger LOG = LoggerFactory.getLogger(FullSyncLoader.class);

  private static final byte[] NO_MARK = {};

  /** 10 ms: the sleep before it looks again whether a script has ended. */
  private static final long NAP_NANOS = 10_000_000;

  private static final String GIVEN_UP = "loading was given up";

  private final Replication replication;
  private final Keyspace keyspace;
  private final Loading loading;
  private final Persistence persistence;
  private final AppendOnly appendOnly;
  private final FileOptions files;
  private final Replication.Address master;
  private final String history;
  private final long offset;
  private final String mode;
  private final boolean wantsStream;
  private int streamDatabase;
  private volatile boolean isGivenUp;

  /**
   * For a copy of a master's data, those of {@code history} at {@code offset}; with the keyspace
   * lock.
   */
  FullSyncLoader(
      Replication replication,
      Keyspace keyspace,
      Persistence persistence,
      AppendOnly appendOnly,
      Replication.Address master,
      String history,
      long offset) {
    this.replication = replication;
    this.keyspace = keyspace;
    this.persistence = persistence;
    this.appendOnly = appendOnly;
    loading = keyspace.loading();
    files = keyspace.settings().fileOptions();
    this.master = master;
    this.history = history;
    this.offset = offset;
    mode = replication.options().disklessLoad;
    boolean isEmpty = keyspace.databases().stream().allMatch(database -> database.size() == 0);
    wantsStream = !mode.equals("disabled") && (isEmpty || !mode.equals("on-empty-db"));
  }

  /** Whether it is to be loaded while it comes, and not from a file. */
  public boolean wantsStream() {
    return wantsStream;
  }

  /** Leaves it; what has been loaded so far is thrown away. Any thread. */
  public void giveUp() {
    isGivenUp = true;
  }

  /** Also because the server closes. */
  private boolean wasGivenUp() {
    return isGivenUp || loading.isGivenUp();
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
      RdbReader reader = persistence.reader(input);
      reader.readHeader(); // before the data that it replaces are gone
      sync(file);
      begin(size, null);
      replace(reader, input, NO_MARK, keep(file));
    }
  }

  private void sync(Path file) throws IOException {
    if (files.rdb() == null) return; // nothing is kept
    try (DiskFile written = files.disk.open(file)) {
      written.sync();
    }
  }

  /** Brings it to its place, or leaves the old data; returns where it is then. */
  private Path keep(Path file) throws IOException {
    boolean isKept = false;
    try {
      Path kept = moved(file);
      isKept = true;
      return kept;
    } finally {
      if (!isKept) withKeyspaceLock(loading::ends);
    }
  }

  /** In the place of the RDB file, unless it is to be the base of an append only file. */
  private Path moved(Path file) throws IOException {
    Path rdb = files.rdb();
    if (rdb == null) return file;
    giveUpSave();
    if (appendOnly.isOn()) return file;
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

  /** Of the old data; it would take the copy's place. No other begins while this is loading. */
  private void giveUpSave() throws IOException {
    try {
      persistence.giveUpSave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Deletes it if it became the RDB file and must not stay; before others may be saved. */
  private void forgetUnwanted(Path kept, boolean isWhole) {
    if (!kept.equals(files.rdb())) return;
    boolean isWanted = isWhole ? keepsFiles() : wasGivenUp();
    if (isWanted) return;
    LOG.info(
        isWhole
            ? "Removing the RDB file obtained from the master. This replica has persistence disabled"
            : "Removing the RDB file obtained from the master: the next start would fail with it");
    try {
      files.disk.delete(kept);
    } catch (IOException e) {
      LOG.warn("RDB file not removed: {}", e.toString());
    }
  }

  private boolean keepsFiles() {
    boolean[] keeps = new boolean[1];
    withKeyspaceLock(
        () -> keeps[0] = files.appendOnly || !files.savePoints.isEmpty() || !files.deletesCopies);
    return keeps[0];
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
      RdbReader reader = persistence.reader(input);
      reader.readHeader();
      if (mode.equals("swapdb")) {
        swap(reader, input, length, mark);
      } else {
        begin(length, null);
        replace(reader, input, mark, null);
      }
    } catch (IOException e) {
      LOG.warn(
          "Internal error in RDB reading offset {}: {}. Failure loading rdb format from socket,"
              + " assuming connection error, resuming operation.",
          input.offset(),
          e.getMessage());
      throw e;
    }
  }

  private void swap(RdbReader reader, RdbInput input, long length, byte[] mark) throws IOException {
    boolean isOver = false;
    Dataset fresh = Dataset.beside(keyspace);
    begin(length, fresh);
    try {
      read(reader, input, fresh);
      checkEnd(input, mark);
      betweenScripts(() -> takeOver(fresh));
      isOver = true;
    } finally {
      if (!isOver) withKeyspaceLock(loading::ends);
    }
  }

  private void takeOver(Dataset fresh) throws IOException {
    checkWanted(); // the server may be about to end, and save the old data
    replication.dataGo();
    keyspace.replaceData(fresh);
    replication.dataCame(history, offset, streamDatabase);
    loading.ends();
    appendOnly.dataReplaced(null);
  }

  // Either way

  /**
   * Has clients hear that it is being loaded, unless it is no longer wanted. From then on the
   * server gets no other master; and unless the old data are served, nothing is saved, also when it
   * ends.
   *
   * @param beside the data that are to be made beside the old ones; null to replace those at once
   */
  private void begin(long length, @Nullable Dataset beside) throws IOException {
    betweenScripts(() -> {
      checkWanted();
      if (beside == null) loading.begins();
      else loading.beginsBeside(beside, isSameHistory());
      loading.expect(Math.max(0, length));
    });
  }

  /** With the keyspace lock. */
  private void checkWanted() throws IOException {
    boolean isWanted = !wasGivenUp() && master.equals(replication.master());
    if (!isWanted) throw new IOException(GIVEN_UP);
    if (replication.host().isShuttingDown()) throw new IOException("the server is about to end");
  }

  private boolean isSameHistory() {
    return replication.mayContinue() && replication.id().equals(history);
  }

  /** {@code kept} is the copy if it is in a file, which may become the server's. */
  private void replace(RdbReader reader, RdbInput input, byte[] mark, @Nullable Path kept)
      throws IOException {
    boolean isWhole = false;
    try {
      withKeyspaceLock(this::clear);
      read(reader, input, Dataset.served(keyspace));
      checkEnd(input, mark);
      isWhole = true;
    } finally {
      if (kept != null) forgetUnwanted(kept, isWhole);
      end(isWhole, kept);
    }
  }

  private void clear() {
    replication.dataGo();
    keyspace.clear();
  }

  private void end(boolean isWhole, @Nullable Path kept) {
    withKeyspaceLock(() -> {
      if (isWhole) replication.dataCame(history, offset, streamDatabase);
      else keyspace.clear();
      loading.ends();
      appendOnly.dataReplaced(isWhole ? kept : null);
    });
  }

  private void read(RdbReader reader, RdbInput input, Dataset into) throws IOException {
    RdbReader.Sink data = persistence.sink(into);
    KeyBatches batches = new KeyBatches(loading, input, into.databases(), data);
    reader.read(new Copy(batches));
    batches.end();
  }

  private static void checkEnd(RdbInput input, byte[] mark) throws IOException {
    boolean isEnd =
        mark.length == 0
            ? input.remaining() == 0
            : Arrays.equals(input.getBytes(mark.length), mark);
    if (!isEnd) throw new IOException("the copy does not end where it should");
  }

  /**
   * With the keyspace lock, when no script is in the middle of its run: it shall see no other data
   * then.
   */
  private void betweenScripts(Keyspace.Work<IOException> work) throws IOException {
    boolean[] isDone = new boolean[1];
    while (true) {
      withKeyspaceLock(() -> {
        if (replication.host().isScriptSuspended()) return;
        work.run();
        isDone[0] = true;
      });
      if (isDone[0]) return;
      if (wasGivenUp()) throw new IOException(GIVEN_UP);
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  private <E extends Exception> void withKeyspaceLock(Keyspace.Work<E> work) throws E {
    keyspace.withLock(() -> {
      keyspace.readClock();
      work.run();
    });
  }

  private final class Copy implements RdbReader.Sink {

    private final KeyBatches batches;

    Copy(KeyBatches batches) {
      this.batches = batches;
    }

    @Override
    public void aux(String name, byte[] value) throws IOException {
      String text = new String(value, StandardCharsets.US_ASCII);
      if (name.equals("repl-stream-db")) streamDatabase = Integer.parseInt(text);
      batches.aux(name, value);
    }

    @Override
    public void library(byte[] text) throws IOException {
      batches.library(text);
    }

    @Override
    public void expect(int keys, int expiring) throws IOException {
      batches.expect(keys, expiring);
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
      if (wasGivenUp()) throw new IOException(GIVEN_UP);
      batches.key(slot);
    }
  }
}
