package dev.kermes.server.engine;

import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import dev.kermes.server.rdb.RdbStream;
import dev.kermes.server.rdb.RdbWriter;
import dev.kermes.server.script.Library;
import dev.kermes.server.script.ScriptException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is kept on disk: the RDB file, saved at once or in the background, and loaded at the start.
 * A file is written beside the old one, brought to the disk, and then takes its place: whatever
 * happens, one of the two is there and whole. Belongs to whoever has the floor.
 */
public final class Persistence {

  private static final Logger LOG = LoggerFactory.getLogger(Persistence.class);

  /** 0.1 ms: a background save holds the floor no longer at a time, but for a larger value. */
  private static final long SLICE_NANOS = 100_000;

  /** 0.1 ms: what it leaves to others between two slices while there are any. */
  private static final long PAUSE_NANOS = 100_000;

  /** 64 KB: what is brought to the file at once. */
  private static final int CHUNK = 1 << 16;

  /** After a failure a save point waits so long before it tries again. */
  private static final long RETRY_MILLIS = 5000;

  private final Engine engine;
  private final FileOptions options;

  private long lastSaveMillis;
  private long lastTryMillis;
  private long lastDurationMillis = -1;
  private boolean hasFailed;
  private long saves;
  private volatile @Nullable Thread saver;
  private volatile boolean isGivenUp;
  private long startedMillis;
  private boolean isScheduled;

  Persistence(Engine engine) {
    this.engine = engine;
    options = engine.settings().fileOptions();
    lastSaveMillis = engine.clock().millis();
  }

  // Facts

  /** When the data was last saved, or the server started; Unix time. */
  public long lastSaveMillis() {
    return lastSaveMillis;
  }

  /** Whether the last save failed. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** Whether a background save is under way. */
  public boolean isSaving() {
    return saver != null;
  }

  /** How long the last background save took; -1 if there was none. */
  public long lastDurationMillis() {
    return lastDurationMillis;
  }

  /** How long the background save under way has taken so far; -1 if there is none. */
  public long durationMillis() {
    return saver == null ? -1 : engine.clock().millis() - startedMillis;
  }

  /** Saves that succeeded. */
  public long saves() {
    return saves;
  }

  // Saving

  /** Saves the data now, while everybody waits. */
  public void save() throws IOException {
    Path file = file();
    try {
      replace(file, this::writeAll);
    } catch (IOException e) {
      failed(file, e);
      throw e;
    }
    engine.addDirty(-engine.dirty());
    saved(file);
  }

  private Path file() throws IOException {
    Path file = options.rdb();
    if (file == null) throw new IOException("nothing is kept on disk; the option dir says where");
    return file;
  }

  private RdbWriter writer() {
    return new RdbWriter(options.rdbCompresses, engine.clock().millis());
  }

  /** The data as the content of an RDB file. */
  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeAll(out);
    return out.toByteArray();
  }

  private void writeAll(OutputStream out) throws IOException {
    RdbStream stream = new RdbStream(out, options.rdbHasChecksum);
    RdbWriter writer = writer();
    writeStart(writer);
    for (Database database : engine.databases()) {
      long cursor = 0;
      do {
        cursor = database.keys().scan(cursor, slot -> writeSlot(writer, database.index(), slot));
        if (writer.pending() >= CHUNK) stream.write(writer.take());
      } while (cursor != 0);
    }
    stream.write(writer.take());
    stream.end();
  }

  private void writeStart(RdbWriter writer) {
    writer.aux("redis-ver", Engine.REDIS_VERSION);
    writer.aux("redis-bits", "64");
    writer.aux("ctime", Long.toString(engine.clock().millis() / 1000));
    writer.aux("used-mem", Long.toString(engine.memory().dataBytes()));
    writer.aux("aof-base", "0");
    for (Library library : engine.scripting().libraries().all()) writer.library(library.code());
    for (Database database : engine.databases()) {
      if (database.size() == 0) continue;
      writer.size(database.index(), database.size(), database.expiringSize());
    }
  }

  private void writeSlot(RdbWriter writer, int database, Object slot) {
    EvictionPolicy policy = engine.settings().memoryLimits().policy;
    writer.key(
        database,
        slot,
        Database.expiryOf(slot),
        policy.isByUse() && !policy.isLfu() ? engine.access().idleSeconds(slot) : -1,
        policy.isLfu() ? engine.access().frequency(slot) : -1);
  }

  private interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Puts a file in the place of another in one step, once it is whole and on the disk. */
  private static void replace(Path file, Content content) throws IOException {
    String name = "temp-" + ProcessHandle.current().pid() + "-" + file.getFileName();
    Path fresh = file.resolveSibling(name);
    try (FileChannel channel =
            FileChannel.open(
                fresh,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        OutputStream out = Channels.newOutputStream(channel)) {
      content.writeTo(out);
      channel.force(true);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      folder.force(true); // the new name, too
    }
  }

  private void saved(Path file) {
    LOG.info("DB saved on disk: file={}", file);
    lastSaveMillis = engine.clock().millis();
    hasFailed = false;
    saves++;
  }

  private void failed(Path file, Exception cause) {
    LOG.warn("data not saved: file={}, {}", file, cause.toString());
    hasFailed = true;
  }

  // In the background

  /** Begins to save the data as it is now, while commands go on; there must be no other save. */
  public void saveInBackground() throws IOException {
    Path file = file();
    lastTryMillis = engine.clock().millis();
    startedMillis = lastTryMillis;
    BackgroundSave save = new BackgroundSave(file);
    saver = new Thread(save, "kermes-save");
    saver.setDaemon(true);
    saver.start();
  }

  /** Begins a save when the one under way has ended. */
  public void scheduleSave() {
    isScheduled = true;
  }

  /**
   * Gives up the background save under way, if there is one, and leaves the old file. Any thread.
   */
  public void giveUpSave() throws InterruptedException {
    isGivenUp = true;
    Thread running = saver;
    if (running != null) running.join();
  }

  /** One walk through a snapshot, made by a thread that takes the floor slice by slice. */
  private final class BackgroundSave implements Runnable {

    private final Path file;
    private final RdbWriter writer = writer();
    private final Snapshot snapshot;
    private final long changes = engine.dirty();
    private boolean hasMore = true;
    private long turns;
    private boolean hasCompany;

    BackgroundSave(Path file) {
      this.file = file;
      writeStart(writer);
      snapshot = Snapshot.begin(engine, (database, slot) -> writeSlot(writer, database, slot));
    }

    @Override
    public void run() {
      Exception failure = null;
      try {
        replace(file, this::writeTo);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      finish(failure);
    }

    private void writeTo(OutputStream out) throws IOException {
      RdbStream stream = new RdbStream(out, options.rdbHasChecksum);
      while (hasMore) {
        if (isGivenUp) throw new IOException("the server closes");
        stream.write(slice());
        if (hasCompany) LockSupport.parkNanos(PAUSE_NANOS);
      }
      stream.end();
    }

    /** Some of what is still to be written. */
    private byte[] slice() {
      engine.floor().take();
      long start = engine.clock().nanos();
      long now = start;
      hasCompany = engine.floor().turns() > turns + 1;
      turns = engine.floor().turns();
      try {
        while (hasMore && now - start < SLICE_NANOS && writer.pending() < CHUNK) {
          hasMore = snapshot.next();
          now = engine.clock().nanos();
        }
        return writer.take();
      } finally {
        engine.floor().giveUp(now - start);
      }
    }

    private void finish(@Nullable Exception failure) {
      engine.floor().take();
      long start = engine.clock().nanos();
      try {
        snapshot.end();
        saver = null;
        lastDurationMillis = engine.clock().millis() - startedMillis;
        if (failure != null) {
          failed(file, failure);
        } else {
          engine.addDirty(-changes);
          saved(file);
        }
      } finally {
        engine.floor().giveUp(engine.clock().nanos() - start);
      }
    }
  }

  /** Saves if that was put off, or a save point asks for it. */
  public void cron() {
    if (saver != null || options.rdb() == null) return;
    long now = engine.clock().millis();
    boolean isDue =
        options.savePoints.isDue((now - lastSaveMillis) / 1000, engine.dirty())
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
   * @throws IOException if it cannot be read, or is not sound; the data is as far as it was read
   */
  public void load() throws IOException {
    Path file = options.rdb();
    if (file == null || !Files.exists(file)) return;
    long start = engine.clock().millis();
    try (InputStream in = Files.newInputStream(file)) {
      long keys = read(new RdbInput(in, Files.size(file)));
      LOG.info(
          "DB loaded from disk: file={}, keys={}, milliseconds={}",
          file,
          keys,
          engine.clock().millis() - start);
    } catch (IOException e) {
      throw new IOException("RDB file not loaded: file=" + file + ", " + e.getMessage(), e);
    }
  }

  /** Adds the content of an RDB file. */
  public void load(byte[] content) throws IOException {
    long unused = read(new RdbInput(content, 0, content.length));
  }

  private long read(RdbInput input) throws IOException {
    Loader loader = new Loader();
    new RdbReader(input, engine.encodingLimits(), engine.hashSeed(), engine.clock().millis())
        .read(loader);
    return loader.keys;
  }

  /** Adds what it is shown to the data. */
  RdbReader.Sink sink() {
    return new Loader();
  }

  private final class Loader implements RdbReader.Sink {
    private long keys;

    @Override
    public void library(byte[] text) throws IOException {
      try {
        Library unused = engine.scripting().libraries().load(text, true);
      } catch (ScriptException e) {
        throw new IOException("library not loaded: " + e.getMessage(), e);
      }
    }

    @Override
    public void key(RdbReader.Key key) throws IOException {
      if (key.database() >= engine.databases().size()) {
        throw new IOException("no such database: index=" + key.database());
      }
      Database database = engine.database(key.database());
      if (!engine.keepsDue() && database.isDue(key.expireAtMillis())) return;
      database.put(slot(key));
      keys++;
    }

    private Object slot(RdbReader.Key key) {
      byte[] name = key.name();
      Object slot;
      if (key.value() instanceof byte[] text) {
        slot = Record.of(name, 0, name.length, text, 0, text.length, key.expireAtMillis());
      } else {
        Value value = (Value) key.value();
        value.key(name);
        value.expireAtMillis(key.expireAtMillis());
        slot = value;
      }
      engine.access().set(slot, key.idleSeconds(), key.frequency());
      return slot;
    }
  }
}
