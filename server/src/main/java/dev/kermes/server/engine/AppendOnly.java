package dev.kermes.server.engine;

import dev.kermes.server.Clock;
import dev.kermes.server.aof.AofException;
import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.aof.AofReader;
import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.aof.SyncPolicy;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append only file: a base, what was done since, and a manifest that names them.
 *
 * <pre>
 *   base 1 | incr 1 |                            as it was
 *   base 1 | incr 1 | incr 2 ...                 a rewrite begins: what is done now goes to incr 2
 *                   ^ snapshot -> base 2         in the background
 *            base 2 | incr 2 ...                 it has ended: the manifest names the new ones
 * </pre>
 *
 * Guarded by the keyspace lock, but for {@link #isOn}, {@link #awaitsBase}, {@link #commit} and
 * {@link #mayBeTold}, for any thread, and until the files are loaded to the thread that starts the
 * server.
 */
public final class AppendOnly {

  private static final Logger LOG = LoggerFactory.getLogger(AppendOnly.class);

  /** A failed rewrite is tried again after so long. */
  private static final long RETRY_MILLIS = 60_000;

  /** Less than a second, so that a sync has ended when it is over. */
  private static final long SYNC_NANOS = 900_000_000;

  private final Keyspace keyspace;
  private final Persistence persistence;
  private final UnaryOperator<Runnable> watched;
  private final FileOptions options;
  private volatile @Nullable AofWriter writer;

  /** The place at which the writer began, or the next one will: where the one before it ended. */
  private volatile long writerBegin;

  private @Nullable Thread syncer;
  private AofManifest manifest = AofManifest.EMPTY;

  /** Whether what is written stands in no manifest yet, since its base is still to be written. */
  private volatile boolean awaitsBase;

  private boolean isRewriting;
  private boolean isScheduled;
  private boolean hasFailed;
  private long failedMillis;
  private long startedMillis;
  private long lastDurationMillis = -1;
  private long rewrites;
  private long baseSize;
  private long incrementsSize;
  private volatile boolean hadError;

  /** Whether somebody waits for more of it to be on disk, and what is done when it is. */
  private volatile boolean isAwaited;

  private Runnable synced = () -> {};

  /**
   * Off, until {@link #start}.
   *
   * @param watched wraps the work of a thread, so that its end by an error is noticed
   */
  public AppendOnly(Keyspace keyspace, Persistence persistence, UnaryOperator<Runnable> watched) {
    this.keyspace = keyspace;
    this.persistence = persistence;
    this.watched = watched;
    options = keyspace.settings().fileOptions();
  }

  // Facts

  public boolean isOn() {
    return writer != null;
  }

  /** Whether it counts for nothing yet, since its base is still to be written. */
  public boolean awaitsBase() {
    return awaitsBase;
  }

  public boolean isRewriting() {
    return isRewriting;
  }

  public boolean isScheduled() {
    return isScheduled;
  }

  /** Whether the last rewrite failed. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** What is wrong with the file at present, so that nothing may be written; or null. */
  public @Nullable String error() {
    AofWriter current = writer;
    return current == null ? null : current.error();
  }

  /** What appends; null if the file is off. */
  public @Nullable AofWriter writer() {
    return writer;
  }

  /** Where the log ends now, which counts on from file to file. */
  public long place() {
    AofWriter current = writer;
    return current == null ? writerBegin : writerBegin + current.appended();
  }

  /** Whether all up to a place of the log is on disk, with what the log is based on. */
  public boolean isOnDisk(long place) {
    AofWriter current = writer;
    return current != null && !awaitsBase && writerBegin + current.synced() >= place;
  }

  /** What is done when more is on disk and somebody awaits that; on any thread, must not wait. */
  public void onSync(Runnable action) {
    synced = action;
  }

  /** Has that done the next time. */
  public void awaitSync() {
    isAwaited = true;
  }

  private void tellSynced() {
    if (!isAwaited) return;
    isAwaited = false;
    synced.run();
  }

  /** Bytes of all parts. */
  public long size() {
    AofWriter current = writer;
    return baseSize + incrementsSize + (current == null ? 0 : current.length());
  }

  /** Bytes of the base and what it was when it was written. */
  public long baseSize() {
    return baseSize;
  }

  public long lastDurationMillis() {
    return lastDurationMillis;
  }

  /** How long the rewrite under way has taken so far; -1 if there is none. */
  public long durationMillis() {
    return isRewriting ? keyspace.clock().millis() - startedMillis : -1;
  }

  /** Rewrites that succeeded. */
  public long rewrites() {
    return rewrites;
  }

  // Committing

  /**
   * Brings what was done so far to the file, and with {@code appendfsync always} to the disk. Any
   * thread, with or without the keyspace lock.
   */
  public void commit() {
    AofWriter current = writer;
    if (current == null || !current.needsCommit()) return;
    long before = current.synced();
    current.commit();
    if (current.synced() > before) tellSynced();
    if (hadError != (current.error() != null)) noteError();
  }

  /** Whether a client may hear of what the log has up to a place, after a {@link #commit}. */
  public boolean mayBeTold(long place) {
    AofWriter current = writer;
    return current == null || current.mayBeTold(place - writerBegin);
  }

  /** Writes what waits for no reply, also what could not be written before. */
  private void writeRest(AofWriter of) {
    if (of.needsCommit()) of.retry();
    if (hadError != (of.error() != null)) noteError();
  }

  /** Has commands look for the error, or no longer. */
  private void noteError() {
    keyspace.withLock(() -> {
      hadError = error() != null;
      keyspace.restrictionsChanged();
    });
  }

  /** Begins a sync so long after it began the last one, or when that has ended. */
  private void syncEachSecond(AofWriter of) {
    long due = Clock.system().nanos();
    while (writer == of) {
      long rest = due - Clock.system().nanos();
      if (rest > 0) {
        LockSupport.parkNanos(rest); // an interrupt would close the file
        continue;
      }
      due = Clock.system().nanos() + SYNC_NANOS;
      writeRest(of);
      if (options.appendSync == SyncPolicy.EVERYSEC) of.sync();
      tellSynced();
    }
  }

  // The start

  /**
   * Loads the files and goes on writing them, if {@code appendonly} is on; else loads the RDB file.
   *
   * @throws IOException if they cannot be read or are not sound, with what to do about it
   */
  public void start(Supplier<LogRunner> runners) throws IOException {
    if (!options.appendOnly) {
      persistence.loadAtStart();
      return;
    }
    options.disk.createFolder(folder());
    boolean hasFiles = readManifest() ? finishTakeOver() : takeOver();
    if (!hasFiles) persistence.loadAtStart();
    else load(runners.get());
    keyspace.withLock(this::goOn);
  }

  private void goOn() throws IOException {
    keyspace.statistics().reset(); // what was run again is not a client's command
    if (manifest.base() == null && manifest.increments().isEmpty()) writeBase();
    AofManifest.Part part =
        manifest.increments().isEmpty()
            ? manifest.nextIncrement(options.appendName)
            : manifest.increments().getLast();
    begin(options.disk.open(folder().resolve(part.name())));
    if (manifest.increments().isEmpty()) replaceManifest(manifest.with(part));
    incrementsSize -= length();
    deleteHistory();
  }

  private Path folder() throws IOException {
    Path folder = options.appendFolder();
    if (folder == null) throw new IOException("nothing is kept on disk; the option dir says where");
    return folder;
  }

  private Path manifestFile() throws IOException {
    return folder().resolve(options.appendName + ".manifest");
  }

  /** Reads the manifest; false if there is none. */
  private boolean readManifest() throws IOException {
    manifest = AofManifest.EMPTY;
    if (!Files.exists(manifestFile())) return false;
    manifest = AofManifest.parse(Files.readString(manifestFile()));
    return true;
  }

  /** Makes the one file that there was before Redis 7 the base; false if there is none. */
  private boolean takeOver() throws IOException {
    Path old = folder().resolveSibling(options.appendName);
    if (!Files.isRegularFile(old)) return false;
    LOG.info("append only file of one part moved: from={}, to={}", old, folder());
    replaceManifest(manifest.with(new AofManifest.Part(options.appendName, 1), 1));
    options.disk.move(old, folder().resolve(options.appendName));
    return true;
  }

  /** Moves that file now, if the manifest names it and somebody was stopped before that. */
  private boolean finishTakeOver() throws IOException {
    AofManifest.Part base = manifest.base();
    Path old = folder().resolveSibling(options.appendName);
    boolean isStopped =
        base != null
            && base.name().equals(options.appendName)
            && manifest.increments().isEmpty()
            && !Files.exists(folder().resolve(base.name()))
            && Files.isRegularFile(old);
    if (isStopped) options.disk.move(old, folder().resolve(options.appendName));
    return true;
  }

  private void writeBase() throws IOException {
    AofManifest.Part part = manifest.nextBase(options.appendName, options.appendBaseIsRdb);
    Path file = folder().resolve(part.name());
    options.replace(file, out -> persistence.writeAll(out, form()));
    baseSize = Files.size(file);
    replaceManifest(manifest.with(part, 1));
  }

  private SnapshotWriter form() {
    return options.appendBaseIsRdb
        ? new RdbSnapshotWriter(keyspace, true, null, FullSyncContent.ALL)
        : new CommandSnapshotWriter(keyspace);
  }

  private void begin(DiskFile file) throws IOException {
    AofWriter begun = new AofWriter(file, options.appendSync, keyspace.clock());
    begun.writesTimes(options.appendWritesTimes);
    writer = begun;
    keyspace.log().add(begun);
    Runnable work = watched.apply(() -> syncEachSecond(begun));
    Thread thread = new Thread(work, "kermes-aof");
    syncer = thread;
    thread.setDaemon(true);
    thread.start();
  }

  private long length() {
    return Objects.requireNonNull(writer).length();
  }

  private void replaceManifest(AofManifest next) throws IOException {
    byte[] text = next.text().getBytes(StandardCharsets.UTF_8);
    options.replace(manifestFile(), out -> out.write(text));
    manifest = next;
  }

  private void deleteHistory() throws IOException {
    if (manifest.history().isEmpty() || options.appendKeepsHistory) return;
    for (AofManifest.Part part : manifest.history()) {
      options.disk.delete(folder().resolve(part.name()));
    }
    replaceManifest(manifest.withoutHistory());
  }

  // Loading

  /**
   * Empties the data and reads the files again, as DEBUG LOADAOF wants it; also while it is off.
   */
  public void reload(LogRunner runner) throws IOException {
    AofWriter current = writer;
    if (current == null) {
      if (!readManifest()) throw new IOException("there is no append only file");
      keyspace.clear();
      load(runner);
      return;
    }
    commit();
    if (!mayBeTold(place())) {
      throw new IOException("append only file not written: " + current.error());
    }
    keyspace.log().remove(current);
    try {
      keyspace.clear();
      load(runner);
      incrementsSize -= current.length();
    } finally {
      keyspace.log().add(current);
    }
  }

  private void load(LogRunner runner) throws IOException {
    long start = keyspace.clock().millis();
    AofManifest.Part base = manifest.base();
    baseSize = 0;
    incrementsSize = 0;
    keyspace.withLock(this::replayBegins);
    try {
      boolean isLast = manifest.increments().isEmpty();
      if (base != null) baseSize = load(runner, base, isLast);
      for (AofManifest.Part part : manifest.increments()) {
        isLast = part == manifest.increments().getLast();
        incrementsSize += load(runner, part, isLast);
      }
    } finally {
      keyspace.withLock(() -> keyspace.replays(false));
    }
    keyspace.withLock(() -> keyspace.addDirty(-keyspace.dirty()));
    LOG.info("DB loaded from append only file: milliseconds={}", keyspace.clock().millis() - start);
  }

  private void replayBegins() throws IOException {
    keyspace.replays(true);
    List<AofManifest.Part> parts = new ArrayList<>(manifest.increments());
    if (manifest.base() != null) parts.add(manifest.base());
    for (AofManifest.Part part : parts) {
      Path file = folder().resolve(part.name());
      if (Files.exists(file)) keyspace.loading().expect(Files.size(file));
    }
  }

  /** Loads a part; returns its size. */
  private long load(LogRunner runner, AofManifest.Part part, boolean isLast) throws IOException {
    Path file = folder().resolve(part.name());
    if (!Files.exists(file)) {
      throw new IOException(
          "cannot open the append only file "
              + file
              + " of the manifest: No such file or directory");
    }
    long offset = RdbReader.isRdb(file) ? persistence.load(file) : 0;
    try (AofReader reader = new AofReader(options.disk.read(file), offset)) {
      new LogLoad(keyspace, runner, reader).run();
    } catch (AofException e) {
      repair(file, e, isLast);
    }
    return Files.size(file);
  }

  private void repair(Path file, AofException damage, boolean isLast) throws IOException {
    boolean isCut = damage.endsEarly() && isLast && options.appendLoadsTruncated;
    if (!isCut) {
      String advice =
          damage.endsEarly() && isLast
              ? "'aof-load-truncated yes' loads it without its end"
              : "copy the file, then 'kermes check --fix FILE' cuts it off there";
      throw new IOException(
          "%s reading the append only file: file=%s, %s; %s"
              .formatted(damage.kind(), file, damage.getMessage(), advice),
          damage);
    }
    LOG.warn("append only file cut: file={}, length={}", file, damage.offset());
    try (DiskFile cut = options.disk.open(file)) {
      cut.truncate(damage.offset());
      cut.sync();
    }
  }

  // Rewriting

  /** Begins to write what the data is now in place of how it came about. */
  public void rewrite() throws IOException {
    AofWriter current = writer;
    isScheduled = false;
    if (current == null) {
      rewriteOnce();
      return;
    }
    AofManifest.Part increment = manifest.nextIncrement(options.appendName);
    DiskFile next = options.disk.open(folder().resolve(increment.name()));
    next.truncate(0);
    long length = current.length();
    current.switchTo(next);
    incrementsSize += length;
    replaceManifest(manifest.with(increment));
    keyspace.log().reselect(current);
    writeBase(current, increment);
  }

  /** With the file off, BGREWRITEAOF only writes a base. */
  private void rewriteOnce() throws IOException {
    options.disk.createFolder(folder());
    boolean unused = readManifest();
    AofManifest.Part base = manifest.nextBase(options.appendName, options.appendBaseIsRdb);
    begins();
    persistence.inBackground(
        folder().resolve(base.name()),
        form(),
        failure ->
            ended(
                failure,
                () -> {
                  replaceManifest(manifest.with(base, Long.MAX_VALUE));
                  deleteHistory();
                }));
  }

  private void begins() {
    isRewriting = true;
    startedMillis = keyspace.clock().millis();
    AofWriter current = writer;
    if (current != null) current.syncRests(options.appendSyncRestsOnRewrite);
  }

  private void writeBase(AofWriter of, AofManifest.Part increment) throws IOException {
    AofManifest.Part base = manifest.nextBase(options.appendName, options.appendBaseIsRdb);
    Path file = folder().resolve(base.name());
    begins();
    persistence.inBackground(
        file, form(), failure -> ended(failure, () -> use(of, file, base, increment)));
  }

  private void use(AofWriter of, Path file, AofManifest.Part base, AofManifest.Part increment)
      throws IOException {
    if (writer != of) throw new IOException("the append only file was turned off");
    AofManifest next = manifest;
    if (awaitsBase) {
      options.disk.move(temporary(), folder().resolve(increment.name()));
      next = next.with(increment);
    }
    replaceManifest(next.with(base, increment.seq()));
    awaitsBase = false;
    baseSize = Files.size(file);
    incrementsSize = 0;
    deleteHistory();
  }

  private interface Step {
    void take() throws IOException;
  }

  private void ended(@Nullable Exception failure, Step last) {
    isRewriting = false;
    lastDurationMillis = keyspace.clock().millis() - startedMillis;
    AofWriter current = writer;
    if (current != null) current.syncRests(false);
    Exception cause = failure;
    try {
      if (cause == null) last.take();
    } catch (IOException e) {
      cause = e;
    }
    hasFailed = cause != null;
    if (cause == null) {
      rewrites++;
      LOG.info("append only file rewritten: size={}", size());
    } else {
      failedMillis = keyspace.clock().millis();
      LOG.warn("append only file not rewritten: {}", cause.toString());
    }
  }

  /** Begins a rewrite when what is being written now has ended. */
  public void schedule() {
    isScheduled = true;
  }

  /** Writes what waits for no reply, and rewrites when that was asked for or the file has grown. */
  public void cron() {
    AofWriter current = writer;
    if (current != null) writeRest(current);
    if (persistence.isWriting()) return;
    boolean isDue = isOn() && (hasGrown() || awaitsBase) && !rests();
    if (!isDue && !isScheduled) return;
    try {
      if (awaitsBase) restart();
      else rewrite();
    } catch (IOException e) {
      failedMillis = keyspace.clock().millis();
      hasFailed = true;
      LOG.warn("append only file not rewritten: {}", e.toString());
    }
  }

  private boolean rests() {
    return hasFailed && keyspace.clock().millis() - failedMillis < RETRY_MILLIS;
  }

  private boolean hasGrown() {
    if (options.appendGrowthPercent == 0 || size() <= options.appendRewriteMin) return false;
    long base = Math.max(1, baseSize);
    return (size() - base) * 100.0 / base >= options.appendGrowthPercent;
  }

  // On and off while the server runs

  /** Brings the file in line with the options; false if it cannot be turned on. */
  public boolean configure() {
    AofWriter current = writer;
    if (current == null && keyspace.loading().isOn()) return true; // it begins after that
    try {
      if (options.appendOnly && current == null) turnOn();
      if (!options.appendOnly && current != null) turnOff();
      if (writer != null) deleteHistory(); // which may have been kept until now
    } catch (IOException e) {
      LOG.warn("append only file not turned on: {}", e.toString());
      return false;
    }
    current = writer;
    if (current == null) return true;
    current.policy(options.appendSync);
    current.writesTimes(options.appendWritesTimes);
    return true;
  }

  /** What is done now goes to a file that counts for nothing until its base is there. */
  private void turnOn() throws IOException {
    if (isRewriting) persistence.giveUpSoon();
    options.disk.createFolder(folder());
    boolean unused = readManifest();
    options.disk.delete(temporary());
    awaitsBase = true;
    hasFailed = false;
    begin(options.disk.open(temporary()));
    isScheduled = persistence.isWriting();
    if (!isScheduled) {
      writeBase(Objects.requireNonNull(writer), manifest.nextIncrement(options.appendName));
    }
  }

  /** Begins once more, with an empty file: its base could not be written. */
  private void restart() throws IOException {
    turnOff();
    turnOn();
  }

  /**
   * All data has been replaced by another server's, which no log has told.
   *
   * @param copy an RDB file of them, on the disk, which may be moved away; null if there is none
   */
  public void dataReplaced(@Nullable Path copy) {
    if (!isOn()) return;
    // What is being written is given up, but for a moment it still may write the next base.
    boolean isUsable = copy != null && options.appendBaseIsRdb && !persistence.isWriting();
    if (isUsable && restartedFrom(Objects.requireNonNull(copy))) return;
    try {
      restart();
    } catch (IOException e) {
      LOG.warn("append only file not begun again: {}", e.toString());
    }
  }

  private boolean restartedFrom(Path copy) {
    try {
      restartFrom(copy);
      return true;
    } catch (IOException e) {
      LOG.warn("copy not taken as the base of the append only file: {}", e.toString());
      return false;
    }
  }

  /** Begins once more, with a file as base that has all data already. */
  private void restartFrom(Path copy) throws IOException {
    turnOff();
    AofManifest.Part base = manifest.nextBase(options.appendName, true);
    AofManifest.Part increment = manifest.nextIncrement(options.appendName);
    Path file = folder().resolve(base.name());
    options.disk.move(copy, file);
    DiskFile next = options.disk.open(folder().resolve(increment.name()));
    next.truncate(0);
    begin(next);
    replaceManifest(manifest.with(increment).with(base, increment.seq()));
    baseSize = Files.size(file);
    incrementsSize = 0;
    hasFailed = false;
    deleteHistory();
    LOG.info("Reused RDB file from primary sync as AOF base file: file={}", file);
  }

  private Path temporary() throws IOException {
    return folder().resolve("temp-" + options.appendName + ".incr");
  }

  private void turnOff() {
    if (isRewriting) persistence.giveUpSoon();
    close();
    awaitsBase = false;
    keyspace.restrictionsChanged();
  }

  /** Writes and syncs what is left, and closes the file. */
  public void close() {
    AofWriter current = writer;
    Thread thread = syncer;
    if (current == null) return;
    keyspace.log().remove(current);
    writerBegin = place();
    writer = null;
    if (thread != null) LockSupport.unpark(thread);
    try {
      current.close();
    } catch (IOException e) {
      LOG.warn("append only file not closed: {}", e.toString());
    }
  }
}
