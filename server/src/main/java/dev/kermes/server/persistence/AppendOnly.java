package dev.kermes.server.persistence;

import dev.kermes.server.aof.AofManifest;
import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.aof.SyncPolicy;
import dev.kermes.server.config.AofOptions;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.disk.DiskFile;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append only file: a base, the commands since then, and a manifest that names both.
 *
 * <pre>
 *   base 1 | incr 1 |                            before
 *   base 1 | incr 1 | incr 2 ...                 a rewrite begins: new commands go to incr 2
 *                   ^ snapshot -> base 2         in the background
 *            base 2 | incr 2 ...                 the rewrite has ended: the manifest names these
 * </pre>
 *
 * Guarded by the keyspace lock, except for {@link #isOn}, {@link #awaitsBase}, {@link #commit} and
 * {@link #canAcknowledge}, which any thread may call. Until the files are loaded, owned by the
 * thread that starts the server.
 */
public final class AppendOnly {

  private static final Logger LOG = LoggerFactory.getLogger(AppendOnly.class);

  /** Less than a second, so that a sync ends within a second of its beginning. */
  private static final long SYNC_NANOS = 900_000_000;

  private final Keyspace keyspace;
  private final Persistence persistence;
  private final UnaryOperator<Runnable> watched;
  private final FileOptions fileOptions;
  private final AofOptions options;
  private final AofFiles files;
  private final RewriteStatus rewrites;
  private volatile @Nullable AofWriter writer;

  /** The offset in the log at which the present or next writer begins, the end of the last one. */
  private volatile long writerBegin;

  private @Nullable Thread syncer;

  /** Whether no manifest names the present file yet, since its base has not been written. */
  private volatile boolean awaitsBase;

  private long baseSize;
  private long incrementsSize;
  private volatile boolean hadError;

  /** Whether a client or the master waits for more of the log to be on disk. */
  private volatile boolean isAwaited;

  private Runnable synced = () -> {};

  /**
   * Creates it turned off, until {@link #start}.
   *
   * @param watched wraps the work of a thread, so that its end by an error is noticed
   */
  public AppendOnly(Keyspace keyspace, Persistence persistence, UnaryOperator<Runnable> watched) {
    this.keyspace = keyspace;
    this.persistence = persistence;
    this.watched = watched;
    fileOptions = keyspace.settings().fileOptions();
    options = keyspace.settings().aofOptions();
    files = new AofFiles(fileOptions, options);
    rewrites = new RewriteStatus(keyspace.clock());
  }

  // Facts

  public boolean isOn() {
    return writer != null;
  }

  /** Whether the file does not count yet, since its base has not been written. */
  public boolean awaitsBase() {
    return awaitsBase;
  }

  public RewriteStatus rewrites() {
    return rewrites;
  }

  /** The present error of the file, because of which writes are refused; or null. */
  public @Nullable String error() {
    AofWriter current = writer;
    return current == null ? null : current.error();
  }

  /** The writer of the file; null if the file is off. */
  public @Nullable AofWriter writer() {
    return writer;
  }

  /** The offset of the end of the log, which continues from file to file. */
  public long logOffset() {
    AofWriter current = writer;
    return current == null ? writerBegin : writerBegin + current.appended();
  }

  /** Whether the log up to an offset is on disk, including its base. */
  public boolean isOnDisk(long offset) {
    AofWriter current = writer;
    return current != null && !awaitsBase && writerBegin + current.synced() >= offset;
  }

  /** Sets the action to run, on any thread, when an awaited sync is done; it must not wait. */
  public void onSync(Runnable action) {
    synced = action;
  }

  /** Requests one such call. */
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

  /** Bytes of the base when it was written. */
  public long baseSize() {
    return baseSize;
  }

  // Committing

  /**
   * Writes the log so far to the file, and with {@code appendfsync always} also to the disk. Any
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

  /**
   * Whether replies that depend on the log up to an offset may be sent, after a {@link #commit}.
   */
  public boolean canAcknowledge(long offset) {
    AofWriter current = writer;
    return current == null || current.canAcknowledge(offset - writerBegin);
  }

  /** Writes data that no reply waits for, including data whose earlier write failed. */
  private void writeRest(AofWriter of) {
    if (of.needsCommit()) of.retry();
    if (hadError != (of.error() != null)) noteError();
  }

  /** Makes commands start or stop checking for the error. */
  private void noteError() {
    keyspace.withLock(() -> {
      hadError = error() != null;
      keyspace.restrictions().set(Restriction.AOF_ERROR, hadError);
    });
  }

  /**
   * Begins a sync SYNC_NANOS after the beginning of the last one, or at its end if that is later.
   */
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
      if (options.syncPolicy.value() == SyncPolicy.EVERYSEC) of.sync();
      tellSynced();
    }
  }

  // The start

  /**
   * Loads the files and continues them if {@code appendonly} is on; else loads the RDB file.
   *
   * @throws IOException if the files cannot be read or are damaged; the message says what to do
   */
  public void start(Supplier<LogRunner> runners) throws IOException {
    if (!options.isOn.isOn()) {
      persistence.loadAtStart();
      return;
    }
    fileOptions.disk().createFolder(files.folder());
    boolean hasFiles = files.read() ? files.finishTakeOver() : files.takeOver();
    if (!hasFiles) persistence.loadAtStart();
    else load(runners.get());
    keyspace.withLock(this::continueLog);
  }

  private void continueLog() throws IOException {
    keyspace.statistics().reset(); // replayed commands are not clients' commands
    if (files.manifest().base() == null && files.manifest().increments().isEmpty()) writeBase();
    AofManifest.Part part =
        files.manifest().increments().isEmpty()
            ? files.nextIncrement()
            : files.manifest().increments().getLast();
    begin(fileOptions.disk().open(files.file(part.name())));
    if (files.manifest().increments().isEmpty()) files.replace(files.manifest().with(part));
    incrementsSize -= Objects.requireNonNull(writer).length();
    files.deleteHistory();
  }

  private void writeBase() throws IOException {
    AofManifest.Part part = files.nextBase(options.baseIsRdb.isOn());
    Path file = files.file(part.name());
    fileOptions.replace(file, out -> persistence.writeAll(out, baseWriter()));
    baseSize = Files.size(file);
    files.replace(files.manifest().with(part, 1));
  }

  private SnapshotWriter baseWriter() {
    return options.baseIsRdb.isOn()
        ? new RdbSnapshotWriter(keyspace, true, null, FullSyncContent.ALL)
        : new CommandSnapshotWriter(keyspace);
  }

  private void begin(DiskFile file) throws IOException {
    AofWriter begun = new AofWriter(file, options.syncPolicy.value(), keyspace.clock());
    begun.writesTimes(options.writesTimes.isOn());
    writer = begun;
    keyspace.log().add(begun);
    Runnable work = watched.apply(() -> syncEachSecond(begun));
    Thread thread = new Thread(work, "kermes-aof");
    syncer = thread;
    thread.setDaemon(true);
    thread.start();
  }

  // Loading

  /**
   * Empties the data and reads the files again, for DEBUG LOADAOF; works even if the file is off.
   */
  public void reload(LogRunner runner) throws IOException {
    AofWriter current = writer;
    if (current == null) {
      if (!files.read()) throw new IOException("there is no append only file");
      keyspace.clear();
      load(runner);
      return;
    }
    commit();
    if (!canAcknowledge(logOffset())) {
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
    AofLoad load = new AofLoad(keyspace, persistence, files, runner);
    try {
      load.run();
    } finally {
      baseSize = load.baseSize();
      incrementsSize = load.incrementsSize();
    }
  }

  // Rewriting

  /** Begins a rewrite: the present data replace the log of their changes. */
  public void rewrite() throws IOException {
    AofWriter current = writer;
    rewrites.scheduled(false);
    if (current == null) {
      rewriteOnce();
      return;
    }
    AofManifest.Part increment = files.nextIncrement();
    DiskFile next = fileOptions.disk().open(files.file(increment.name()));
    next.truncate(0);
    long length = current.length();
    current.switchTo(next);
    incrementsSize += length;
    files.replace(files.manifest().with(increment));
    keyspace.log().reselect(current);
    writeBase(current, increment);
  }

  /** Writes only a base, for BGREWRITEAOF while the file is off. */
  private void rewriteOnce() throws IOException {
    fileOptions.disk().createFolder(files.folder());
    boolean unused = files.read();
    AofManifest.Part base = files.nextBase(options.baseIsRdb.isOn());
    begins();
    persistence.inBackground(
        files.file(base.name()),
        baseWriter(),
        failure ->
            ended(
                failure,
                () -> {
                  files.replace(files.manifest().with(base, Long.MAX_VALUE));
                  files.deleteHistory();
                }));
  }

  private void begins() {
    rewrites.begins();
    AofWriter current = writer;
    if (current != null) current.syncRests(options.syncRestsOnRewrite.isOn());
  }

  private void writeBase(AofWriter of, AofManifest.Part increment) throws IOException {
    AofManifest.Part base = files.nextBase(options.baseIsRdb.isOn());
    Path file = files.file(base.name());
    begins();
    persistence.inBackground(
        file, baseWriter(), failure -> ended(failure, () -> use(of, file, base, increment)));
  }

  private void use(AofWriter of, Path file, AofManifest.Part base, AofManifest.Part increment)
      throws IOException {
    if (writer != of) throw new IOException("the append only file was turned off");
    AofManifest next = files.manifest();
    if (awaitsBase) {
      fileOptions.disk().move(files.temporary(), files.file(increment.name()));
      next = next.with(increment);
    }
    files.replace(next.with(base, increment.seq()));
    awaitsBase = false;
    baseSize = Files.size(file);
    incrementsSize = 0;
    files.deleteHistory();
  }

  private interface Step {
    void take() throws IOException;
  }

  private void ended(@Nullable Exception failure, Step last) {
    rewrites.ends();
    AofWriter current = writer;
    if (current != null) current.syncRests(false);
    Exception cause = failure;
    try {
      if (cause == null) last.take();
    } catch (IOException e) {
      cause = e;
    }
    if (cause == null) {
      rewrites.succeeded();
      LOG.info("append only file rewritten: size={}", size());
    } else {
      rewrites.failed();
      LOG.warn("append only file not rewritten: {}", cause.toString());
    }
  }

  /** Schedules a rewrite for the end of the running background write. */
  public void schedule() {
    rewrites.scheduled(true);
  }

  /**
   * Writes data that no reply waits for; starts a rewrite if scheduled or if the file has grown.
   */
  public void cron() {
    AofWriter current = writer;
    if (current != null) writeRest(current);
    if (persistence.isWriting()) return;
    boolean isDue = isOn() && (hasGrown() || awaitsBase) && !rewrites.isRetryDelayed();
    if (!isDue && !rewrites.isScheduled()) return;
    try {
      if (awaitsBase) restart();
      else rewrite();
    } catch (IOException e) {
      rewrites.failed();
      LOG.warn("append only file not rewritten: {}", e.toString());
    }
  }

  private boolean hasGrown() {
    if (options.growthPercent.value() == 0 || size() <= options.rewriteMin.value()) return false;
    long base = Math.max(1, baseSize);
    return (size() - base) * 100.0 / base >= options.growthPercent.value();
  }

  // On and off while the server runs

  /** Applies the options to the file; false if it cannot be turned on. */
  public boolean configure() {
    AofWriter current = writer;
    if (current == null && keyspace.loading().isOn()) return true; // loading turns it on at its end
    try {
      if (options.isOn.isOn() && current == null) turnOn();
      if (!options.isOn.isOn() && current != null) turnOff();
      if (writer != null) files.deleteHistory(); // it may have been kept until now
    } catch (IOException e) {
      LOG.warn("append only file not turned on: {}", e.toString());
      return false;
    }
    current = writer;
    if (current == null) return true;
    current.policy(options.syncPolicy.value());
    current.writesTimes(options.writesTimes.isOn());
    return true;
  }

  /** Logs changes from now on to a file that does not count until its base has been written. */
  private void turnOn() throws IOException {
    if (rewrites.isRunning()) persistence.giveUpSoon();
    fileOptions.disk().createFolder(files.folder());
    boolean unused = files.read();
    fileOptions.disk().delete(files.temporary());
    awaitsBase = true;
    rewrites.clearFailure();
    begin(fileOptions.disk().open(files.temporary()));
    rewrites.scheduled(persistence.isWriting());
    if (!rewrites.isScheduled()) {
      writeBase(Objects.requireNonNull(writer), files.nextIncrement());
    }
  }

  /** Starts over with an empty file, after its base could not be written. */
  private void restart() throws IOException {
    turnOff();
    turnOn();
  }

  /**
   * Starts over after all data have been replaced by another server's, which no log contains.
   *
   * @param rdb an RDB file of the new data, on the disk, which may be moved; null if there is none
   */
  public void dataReplaced(@Nullable Path rdb) {
    if (!isOn()) return;
    // A background write is given up, but it may still write the next base for a moment.
    boolean isUsable = rdb != null && options.baseIsRdb.isOn() && !persistence.isWriting();
    if (isUsable && restartedFrom(Objects.requireNonNull(rdb))) return;
    try {
      restart();
    } catch (IOException e) {
      LOG.warn("append only file not begun again: {}", e.toString());
    }
  }

  private boolean restartedFrom(Path rdb) {
    try {
      restartFrom(rdb);
      return true;
    } catch (IOException e) {
      LOG.warn("RDB file not taken as the base of the append only file: {}", e.toString());
      return false;
    }
  }

  /** Starts over with an RDB file of all data as base. */
  private void restartFrom(Path rdb) throws IOException {
    turnOff();
    AofManifest.Part base = files.nextBase(true);
    AofManifest.Part increment = files.nextIncrement();
    Path file = files.file(base.name());
    fileOptions.disk().move(rdb, file);
    DiskFile next = fileOptions.disk().open(files.file(increment.name()));
    next.truncate(0);
    begin(next);
    files.replace(files.manifest().with(increment).with(base, increment.seq()));
    baseSize = Files.size(file);
    incrementsSize = 0;
    rewrites.clearFailure();
    files.deleteHistory();
    LOG.info("Reused RDB file from primary sync as AOF base file: file={}", file);
  }

  private void turnOff() {
    if (rewrites.isRunning()) persistence.giveUpSoon();
    close();
    awaitsBase = false;
    keyspace.restrictions().set(Restriction.AOF_ERROR, false);
  }

  /** Writes and syncs the remaining data, and closes the file. */
  public void close() {
    AofWriter current = writer;
    Thread thread = syncer;
    if (current == null) return;
    keyspace.log().remove(current);
    writerBegin = logOffset();
    writer = null;
    if (thread != null) LockSupport.unpark(thread);
    try {
      current.close();
    } catch (IOException e) {
      LOG.warn("append only file not closed: {}", e.toString());
    }
  }
}
