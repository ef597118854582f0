package dev.kermes.server.replication;

import dev.kermes.server.config.FileOptions;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.keyspace.Dataset;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.KeyBatches;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.persistence.ReplicationPosition;
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
 * Replaces all data by those of a full sync, some keys at a time. On a separate thread.
 *
 * <pre>
 *   file             the old data stay until the file is complete; it becomes the server's RDB file
 *   stream           they are dropped when the data arrive: if these break off, nothing is left
 *   stream, swapdb   they stay until the new data are loaded, and are served if the id is the same
 * </pre>
 */
public final class FullSyncLoader {

  private static final Logger LOG = LoggerFactory.getLogger(FullSyncLoader.class);

  private static final byte[] NO_MARK = {};

  /** 10 ms: the sleep between two checks whether a script has ended. */
  private static final long NAP_NANOS = 10_000_000;

  private static final String GIVEN_UP = "loading was given up";

  private final Replication replication;
  private final Keyspace keyspace;
  private final Loading loading;
  private final Persistence persistence;
  private final AppendOnly appendOnly;
  private final FileOptions files;
  private final Replication.Address master;
  private final String replicationId;
  private final long offset;
  private final String mode;
  private final boolean wantsStream;
  private int streamDatabase;
  private volatile boolean isGivenUp;

  /**
   * Prepares to load a master's data, those of {@code replicationId} at {@code offset}; with the
   * keyspace lock.
   */
  FullSyncLoader(
      Replication replication,
      Keyspace keyspace,
      Persistence persistence,
      AppendOnly appendOnly,
      Replication.Address master,
      String replicationId,
      long offset) {
    this.replication = replication;
    this.keyspace = keyspace;
    this.persistence = persistence;
    this.appendOnly = appendOnly;
    loading = keyspace.loading();
    files = keyspace.settings().fileOptions();
    this.master = master;
    this.replicationId = replicationId;
    this.offset = offset;
    mode = replication.options().disklessLoad.value();
    boolean isEmpty = keyspace.databases().stream().allMatch(database -> database.size() == 0);
    wantsStream = !mode.equals("disabled") && (isEmpty || !mode.equals("on-empty-db"));
  }

  /** Whether to load the data while they arrive, instead of from a file. */
  public boolean wantsStream() {
    return wantsStream;
  }

  /** Gives up; the data loaded so far are dropped. Any thread. */
  public void giveUp() {
    isGivenUp = true;
  }

  /** Whether loading was given up, also because the server closes. */
  private boolean wasGivenUp() {
    return isGivenUp || loading.isGivenUp();
  }

  // From a file

  /**
   * Loads a file with a complete full sync, and makes it the server's own.
   *
   * @throws IOException if the file cannot be read or kept, is damaged, or loading was given up;
   *     the data are then the old ones, or none
   */
  public void load(Path file) throws IOException {
    long size = Files.size(file);
    try (InputStream in = files.disk().read(file)) {
      RdbInput input = new RdbInput(in, size);
      RdbReader reader = persistence.reader(input);
      reader.readHeader(); // before the old data are dropped
      sync(file);
      begin(size, null);
      replace(reader, input, NO_MARK, keep(file));
    }
  }

  private void sync(Path file) throws IOException {
    if (files.rdb() == null) return; // no files are kept
    try (DiskFile written = files.disk().open(file)) {
      written.sync();
    }
  }

  /**
   * Renames the file to that of the option {@code dbfilename}, or keeps the old data if that fails;
   * returns the file's new path.
   */
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

  /** Replaces the RDB file, unless the file is to be the base of an append only file. */
  private Path moved(Path file) throws IOException {
    Path rdb = files.rdb();
    if (rdb == null) return file;
    giveUpSave();
    if (appendOnly.isOn()) return file;
    try {
      files.disk().move(file, rdb);
    } catch (IOException e) {
      throw new IOException(
          "Failed trying to rename the temp DB into %s in MASTER <-> REPLICA synchronization: %s"
              .formatted(files.rdbName.value(), e),
          e);
    }
    files.disk().syncFolder(Objects.requireNonNull(rdb.getParent()));
    return rdb;
  }

  /**
   * Gives up a save of the old data, which would replace the new file. Loading prevents a new one.
   */
  private void giveUpSave() throws IOException {
    try {
      persistence.giveUpSave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Deletes a file that became the RDB file but must not stay, before other data can be saved. */
  private void forgetUnwanted(Path kept, boolean isWhole) {
    if (!kept.equals(files.rdb())) return;
    boolean isWanted = isWhole ? keepsFiles() : wasGivenUp();
    if (isWanted) return;
    LOG.info(
        isWhole
            ? "Removing the RDB file obtained from the master. This replica has persistence disabled"
            : "Removing the RDB file obtained from the master: the next start would fail with it");
    try {
      files.disk().delete(kept);
    } catch (IOException e) {
      LOG.warn("RDB file not removed: {}", e.toString());
    }
  }

  private boolean keepsFiles() {
    boolean[] keeps = new boolean[1];
    withKeyspaceLock(() ->
        keeps[0] =
            keyspace.settings().aofOptions().isOn.isOn()
                || !files.savePoints.value().isEmpty()
                || !files.deletesSyncFiles.isOn());
    return keeps[0];
  }

  // While it comes

  /**
   * Loads a full sync from a stream, up to the mark at its end.
   *
   * @param length its length without the mark; -1 if only the mark ends it
   * @throws IOException if the stream breaks off or is damaged, or loading was given up; the old
   *     data then stay with {@code swapdb}, otherwise there are none
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
    checkWanted(); // the server may be about to end, and to save the old data
    replication.dataDiscarded();
    keyspace.replaceData(fresh);
    replication.dataLoaded(position());
    loading.ends();
    appendOnly.dataReplaced(null);
  }

  // Either way

  /**
   * Begins to load, unless loading was given up; clients then get the error LOADING. From now on
   * the server's master cannot change; and unless the old data are served, nothing is saved, even
   * at the server's end.
   *
   * @param beside the new data to build next to the old ones; null to replace the old ones at once
   */
  private void begin(long length, @Nullable Dataset beside) throws IOException {
    betweenScripts(() -> {
      checkWanted();
      if (beside == null) loading.begins();
      else loading.beginsBeside(beside, hasSameId());
      loading.expect(Math.max(0, length));
    });
  }

  /** Fails if loading was given up; with the keyspace lock. */
  private void checkWanted() throws IOException {
    boolean isWanted = !wasGivenUp() && master.equals(replication.master());
    if (!isWanted) throw new IOException(GIVEN_UP);
    if (replication.host().isShuttingDown()) throw new IOException("the server is about to end");
  }

  private boolean hasSameId() {
    return replication.maySyncPartially() && replication.id().equals(replicationId);
  }

  /** The position of the data in the master's stream. */
  private ReplicationPosition position() {
    return new ReplicationPosition(replicationId, offset, streamDatabase);
  }

  /**
   * Replaces the data; {@code kept} is the file of the full sync, which may become the server's.
   */
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
    replication.dataDiscarded();
    keyspace.clear();
  }

  private void end(boolean isWhole, @Nullable Path kept) {
    withKeyspaceLock(() -> {
      if (isWhole) replication.dataLoaded(position());
      else keyspace.clear();
      loading.ends();
      appendOnly.dataReplaced(isWhole ? kept : null);
    });
  }

  private void read(RdbReader reader, RdbInput input, Dataset into) throws IOException {
    RdbReader.Sink data = persistence.sink(into);
    KeyBatches batches = new KeyBatches(loading, input, into.databases(), data);
    reader.read(new Content(batches));
    batches.end();
  }

  private static void checkEnd(RdbInput input, byte[] mark) throws IOException {
    boolean isEnd =
        mark.length == 0
            ? input.remaining() == 0
            : Arrays.equals(input.getBytes(mark.length), mark);
    if (!isEnd) throw new IOException("the full sync does not end where it should");
  }

  /**
   * Runs work with the keyspace lock while no script is in the middle of its run, so that a script
   * never sees other data.
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

  private final class Content implements RdbReader.Sink {

    private final KeyBatches batches;

    Content(KeyBatches batches) {
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
