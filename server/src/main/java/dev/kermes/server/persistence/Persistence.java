package dev.kermes.server.persistence;

import dev.kermes.server.config.FileOptions;
import dev.kermes.server.disk.DiskFailure;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Dataset;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import dev.kermes.server.script.Library;
import dev.kermes.server.script.ScriptException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RDB file, saved at once or in the background, and loaded at the start. A new file is written
 * next to the old one, synced to the disk, and then replaces it: at any time one of the two exists
 * and is complete. Guarded by the keyspace lock.
 */
public final class Persistence {

  private static final Logger LOG = LoggerFactory.getLogger(Persistence.class);

  /** The delay of save points after a failed save. */
  private static final long RETRY_MILLIS = 5000;

  private final Keyspace keyspace;
  private final Snapshots snapshots;
  private final FileOptions options;

  private long lastSaveMillis;
  private long lastTryMillis;
  private long lastDurationMillis = -1;
  private boolean hasFailed;
  private long saves;
  private volatile @Nullable Thread writer;
  private volatile @Nullable BackgroundWrite write;
  private boolean isSaving;
  private long startedMillis;
  private boolean isScheduled;
  private volatile @Nullable Loader lastLoad;

  private Supplier<@Nullable ReplicationPosition> position = () -> null;
  private Consumer<ReplicationPosition> onRestored = restored -> {};

  /** Creates it without having saved or loaded anything. */
  public Persistence(Snapshots snapshots) {
    this.snapshots = snapshots;
    keyspace = snapshots.keyspace();
    options = keyspace.settings().fileOptions();
    lastSaveMillis = keyspace.clock().millis();
  }

  /**
   * Connects it to replication.
   *
   * @param current the position that files record; null if the data have none
   * @param restored called before data with a position are loaded at the start
   */
  public void replication(
      Supplier<@Nullable ReplicationPosition> current, Consumer<ReplicationPosition> restored) {
    position = current;
    onRestored = restored;
  }

  // Facts

  /** The time of the last save or of the server's start; Unix time. */
  public long lastSaveMillis() {
    return lastSaveMillis;
  }

  /** Whether the last save failed. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** Whether a background save is under way. */
  public boolean isSaving() {
    return isSaving;
  }

  /** Whether a background write is running. */
  public boolean isWriting() {
    return write != null;
  }

  /** Whether writes are refused, since the last save failed. */
  public boolean refusesWrites() {
    return hasFailed && options.stopsWritesOnError.isOn() && !options.savePoints.value().isEmpty();
  }

  /** The duration of the last background save; -1 if there was none. */
  public long lastDurationMillis() {
    return lastDurationMillis;
  }

  /** The duration of the running background save so far; -1 if there is none. */
  public long durationMillis() {
    return !isSaving ? -1 : keyspace.clock().millis() - startedMillis;
  }

  /** Saves that succeeded. */
  public long saves() {
    return saves;
  }

  /** Keys that were loaded from the last file. */
  public long keysLoaded() {
    Loader last = lastLoad;
    return last == null ? 0 : last.keys;
  }

  /** Keys of the last file that were skipped because they had expired. */
  public long keysExpired() {
    Loader last = lastLoad;
    return last == null ? 0 : last.expired;
  }

  // Saving

  /** Saves the data now, while all clients wait. */
  public void save() throws IOException {
    Path file = file();
    try {
      options.replace(file, out -> writeAll(out, form()));
    } catch (IOException e) {
      failed(file, e);
      throw e;
    }
    keyspace.addDirty(-keyspace.dirty());
    saved(file);
  }

  private Path file() throws IOException {
    Path file = options.rdb();
    if (file == null) throw new IOException("nothing is kept on disk; the option dir says where");
    return file;
  }

  /** A writer for all data, as an RDB file with their position. */
  private RdbSnapshotWriter form() {
    return new RdbSnapshotWriter(keyspace, false, position.get(), FullSyncContent.ALL);
  }

  /** The data as the content of an RDB file. */
  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeAll(out, form());
    return out.toByteArray();
  }

  /** Writes all keys while all clients wait. */
  void writeAll(OutputStream out, SnapshotWriter form) throws IOException {
    for (Database database : keyspace.databases()) {
      long cursor = 0;
      do {
        cursor =
            database
                .keys()
                .scan(cursor, slot -> true, slot -> addWhole(form, database.index(), slot));
        if (form.pending() >= SnapshotIterator.CHUNK) writePending(out, form);
      } while (cursor != 0);
    }
    writePending(out, form);
    form.end(out);
  }

  private static void writePending(OutputStream out, SnapshotWriter form) throws IOException {
    form.take();
    form.write(out);
  }

  private static void addWhole(SnapshotWriter form, int database, Object slot) {
    boolean hasMore = form.slot(database, slot);
    while (hasMore) hasMore = form.more();
  }

  private void saved(Path file) {
    LOG.info("DB saved on disk: file={}", file);
    lastSaveMillis = keyspace.clock().millis();
    hasFailed = false;
    noteRefusal();
    saves++;
  }

  private void failed(Path file, Exception cause) {
    String why = cause instanceof IOException e ? DiskFailure.reason(e) : cause.toString();
    LOG.warn("data not saved: file={}, {}", file, why);
    hasFailed = true;
    noteRefusal();
  }

  /** Follows the options about failed saves. */
  public void settingsChanged() {
    noteRefusal();
  }

  private void noteRefusal() {
    keyspace.restrictions().set(Restriction.SAVE_ERROR, refusesWrites());
  }

  // In the background

  /** Begins to save the data as they are now, while commands continue; no other save may run. */
  public void saveInBackground() throws IOException {
    Path file = file();
    lastTryMillis = keyspace.clock().millis();
    startedMillis = lastTryMillis;
    long changes = keyspace.dirty();
    isSaving = true;
    inBackground(
        file,
        form(),
        failure -> {
          isSaving = false;
          lastDurationMillis = keyspace.clock().millis() - startedMillis;
          if (failure instanceof CancellationException) {
            LOG.info("data not saved: file={}, given up", file);
          } else if (failure != null) {
            failed(file, failure);
          } else {
            keyspace.addDirty(-changes);
            saved(file);
          }
        });
  }

  /** Saves the data as they are now, without the keyspace lock; returns whether that succeeded. */
  public boolean saveAndWait() throws InterruptedException {
    AtomicBoolean isSaved = new AtomicBoolean();
    try {
      keyspace.withLock(() -> {
        Path file = file();
        inBackground(
            file,
            form(),
            failure -> {
              isSaved.set(failure == null);
              if (failure == null) saved(file);
              else LOG.warn("data not saved: file={}, {}", file, failure.toString());
            });
      });
    } catch (IOException e) {
      LOG.warn("data not saved: {}", e.toString());
    }
    Thread thread = writer;
    if (thread != null) thread.join();
    return isSaved.get();
  }

  /** Writes the data as they are now to a file; no other background write may run. */
  void inBackground(Path file, SnapshotWriter form, BackgroundWrite.Ending ending) {
    BackgroundWrite begun =
        new BackgroundWrite(
            snapshots,
            file,
            form,
            failure -> {
              write = null;
              ending.ended(failure);
            });
    write = begun;
    Thread thread = new Thread(begun, "kermes-save");
    writer = thread;
    thread.setDaemon(true);
    thread.start();
  }

  /** Schedules a save for the end of the running one. */
  public void scheduleSave() {
    isScheduled = true;
  }

  /** Cancels the scheduled save; false if there was none. */
  public boolean unscheduleSave() {
    boolean was = isScheduled;
    isScheduled = false;
    return was;
  }

  /** Gives up the running background write, if there is one, and keeps the old file. Any thread. */
  public void giveUpSave() throws InterruptedException {
    BackgroundWrite running = write;
    Thread thread = writer;
    if (running != null) running.giveUp();
    if (thread != null) thread.join();
  }

  /**
   * Saves at once after all data have been deleted, if there are save points, so that the data do
   * not come back. A running background save is given up, but it may still write the file while it
   * ends; the new save is therefore scheduled after it.
   */
  public void allDeleted() {
    boolean wasSaving = isSaving;
    if (wasSaving) giveUpSoon();
    if (options.savePoints.value().isEmpty() || options.rdb() == null || keyspace.loading().isOn())
      return;
    try {
      if (wasSaving) scheduleSave();
      else save();
    } catch (IOException e) {
      LOG.warn("deleted data are still in the file");
    }
  }

  /** Gives up the background write, which still runs for a moment. */
  public void giveUpSoon() {
    BackgroundWrite running = write;
    if (running != null) running.giveUp();
  }

  /** Saves if a save was scheduled, or if a save point requires it. */
  public void cron() {
    if (write != null || options.rdb() == null) return;
    long now = keyspace.clock().millis();
    boolean isDue =
        options.savePoints.value().isDue((now - lastSaveMillis) / 1000, keyspace.dirty())
            && !(hasFailed && now - lastTryMillis < RETRY_MILLIS);
    if (!isDue && !isScheduled) return;
    isScheduled = false;
    try {
      saveInBackground();
    } catch (IOException e) {
      LOG.warn("background save not begun: {}", e.toString());
    }
  }

  // Loading

  /**
   * Loads the RDB file, if there is one.
   *
   * @throws IOException if the file cannot be read or is damaged; the data read so far stay
   */
  public void load() throws IOException {
    load(new Loader(), () -> {});
  }

  /** Replaces all data by those of the file, unless the file cannot be read. */
  public void reload() throws IOException {
    load(new Loader(), keyspace::clear);
  }

  /** Loads the file as the server's first data, and takes over their replication id and offset. */
  void loadAtStart() throws IOException {
    Loader loader = new Loader();
    loader.isStart = true;
    load(loader, () -> {});
  }

  /** Loads the file; {@code ready} runs if there is no file, or after its header has been read. */
  private void load(Loader loader, Runnable ready) throws IOException {
    Path file = options.rdb();
    if (file == null || !Files.exists(file)) {
      ready.run();
      return;
    }
    long size = Files.size(file);
    keyspace.withLock(() -> keyspace.loading().expect(size));
    long unused = load(file, loader, ready);
  }

  /**
   * Loads an RDB file, or the RDB part of another file, some keys at a time; returns the end of
   * that part.
   */
  long load(Path file) throws IOException {
    return load(file, new Loader(), () -> {});
  }

  private long load(Path file, Loader loader, Runnable ready) throws IOException {
    lastLoad = loader;
    long start = keyspace.clock().millis();
    try (InputStream in = options.disk().read(file)) {
      RdbInput input = new RdbInput(in, Files.size(file));
      KeyBatches batches =
          new KeyBatches(keyspace.loading(), input, loader.into.databases(), loader);
      RdbReader reader = reader(input);
      reader.readHeader();
      ready.run();
      read(reader, input, batches);
      batches.end();
      LOG.info(
          "DB loaded from disk: file={}, keys={}, milliseconds={}, empty keys skipped: {}",
          file,
          keysLoaded(),
          keyspace.clock().millis() - start,
          reader.keysEmpty());
      return input.offset();
    } catch (IOException e) {
      LOG.warn("{}: Terminating server after rdb file reading failure.", e.getMessage());
      throw new IOException("Fatal error loading the DB: file=" + file + ", " + e.getMessage(), e);
    }
  }

  /** Adds the content of an RDB file, with the keyspace lock. */
  public void load(byte[] content) throws IOException {
    RdbInput input = new RdbInput(content, 0, content.length);
    read(reader(input), input, sink(Dataset.served(keyspace)));
  }

  private static void read(RdbReader reader, RdbInput input, RdbReader.Sink sink)
      throws IOException {
    if (input.remaining() < ParallelRead.SIZE_MIN) reader.read(sink);
    else new ParallelRead(reader).into(sink);
  }

  /** A reader with the server's settings. */
  public RdbReader reader(RdbInput input) {
    return new RdbReader(
            input,
            keyspace.settings().encodingOptions().limits(),
            keyspace.hashSeed(),
            keyspace.clock().millis())
        .takesAnyVersion(options.acceptsAnyVersion())
        .hidesNames(keyspace.settings().monitoringOptions().hidesUserData());
  }

  /** A sink that adds keys to some data, with the keyspace lock. */
  public RdbReader.Sink sink(Dataset data) {
    Loader loader = new Loader(data);
    lastLoad = loader;
    return loader;
  }

  private final class Loader implements RdbReader.Sink {

    private static final RdbReader.Usage UNKNOWN = new RdbReader.Usage(-1, -1);

    private final Dataset into;
    private int database;
    private RdbReader.Usage usage = UNKNOWN;
    private long keys;
    private long expired;

    /** Whether these are the server's first data, whose replication id is not known yet. */
    private boolean isStart;

    /** Whether replicas need to know about keys that expire at the start. */
    private boolean tellsReplicas;

    private String replicationId = "";
    private long offset = -1;
    private int streamDatabase;

    Loader() {
      this(Dataset.served(keyspace));
    }

    Loader(Dataset into) {
      this.into = into;
    }

    @Override
    public void aux(String name, byte[] value) {
      String text = new String(value, StandardCharsets.ISO_8859_1);
      if (name.equals("repl-id")) replicationId = text;
      if (name.equals("repl-stream-db")) streamDatabase = (int) Math.max(0, number(text));
      if (name.equals("repl-offset")) offset = number(text);
      if (name.equals("used-mem")) keyspace.loading().usedMemory(Math.max(0, number(text)));
      if (!isStart || replicationId.isEmpty() || offset < 0) return;
      isStart = false;
      tellsReplicas = true;
      onRestored.accept(new ReplicationPosition(replicationId, offset, streamDatabase));
    }

    /** The number that a text spells; -1 if it spells none. */
    private static long number(String text) {
      return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    @Override
    public void library(byte[] text) throws IOException {
      try {
        Library unused = into.libraries().load(text, true);
      } catch (ScriptException e) {
        throw new IOException("library not loaded: " + e.getMessage(), e);
      }
    }

    @Override
    public void expect(int count, int expiring) {
      into.databases().get(database).expect(count, expiring);
    }

    private Database databaseAt(int index) throws IOException {
      if (index < into.databases().size()) return into.databases().get(index);
      throw new IOException("no such database: index=" + index);
    }

    @Override
    public void database(int index) throws IOException {
      Database unused = databaseAt(index);
      database = index;
    }

    @Override
    public void usage(RdbReader.Usage usage) {
      this.usage = usage;
    }

    @Override
    public void key(Object slot) {
      Database database = into.databases().get(this.database);
      RdbReader.Usage known = usage;
      usage = UNKNOWN;
      if (!keyspace.keepsDue() && database.isDue(Database.expiryOf(slot))) {
        expired++;
        if (tellsReplicas) {
          database.expiry().logExpired(Database.keyOf(slot));
          keyspace.log().endUnit();
        }
        return;
      }
      keyspace.lruClock().set(slot, known.idleSeconds(), known.frequency());
      database.put(slot);
      keys++;
    }
  }
}
