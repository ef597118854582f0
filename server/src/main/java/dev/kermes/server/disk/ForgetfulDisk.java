package dev.kermes.server.disk;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A disk for tests: it can fail, be full, be slow, and lose power. After a loss of power, unsynced
 * bytes are lost, all or in part, and so are the latest unsynced names. Any thread.
 */
public final class ForgetfulDisk implements Disk {

  private final Random random;
  private final Map<Path, Long> syncedLengths = new HashMap<>();
  private final List<Change> unsyncedNames = new ArrayList<>();
  private boolean isDead;
  private long writesUntilFailure = Long.MAX_VALUE;
  private long room = Long.MAX_VALUE;
  private boolean syncFails;
  private boolean ignoresSyncs;
  private long syncMillis;
  private volatile boolean readsAreSlow;

  /** A name given to a file, and the content of the file that had the name before. */
  private record Change(Path from, Path to, byte @Nullable [] replaced) {}

  /** Creates an empty disk; the seed determines which unsynced writes a crash loses. */
  public ForgetfulDisk(long seed) {
    random = new Random(seed);
  }

  // Faults

  /** Makes the n-th write from now on fail, 1 for the next one, and all writes after it. */
  public synchronized void failWrites(long n) {
    writesUntilFailure = n - 1;
  }

  /** Leaves room for only that many more bytes. */
  public synchronized void room(long bytes) {
    room = bytes;
  }

  /** Sets whether each sync from now on fails. */
  public synchronized void failSyncs(boolean fails) {
    syncFails = fails;
  }

  /** Sets whether each sync from now on seems to succeed, but syncs nothing. */
  public synchronized void ignoreSyncs(boolean ignores) {
    ignoresSyncs = ignores;
  }

  /** Makes each sync take that long. */
  public synchronized void syncMillis(long millis) {
    syncMillis = millis;
  }

  /** Makes each read return at most 512 bytes and take a millisecond. */
  public void slowReads(boolean isSlow) {
    readsAreSlow = isSlow;
  }

  /** Removes all faults except a loss of power. */
  public synchronized void heal() {
    writesUntilFailure = Long.MAX_VALUE;
    room = Long.MAX_VALUE;
    syncFails = false;
    ignoresSyncs = false;
    syncMillis = 0;
    readsAreSlow = false;
  }

  /** Cuts the power: from now on nothing is written. */
  public synchronized void cutPower() {
    isDead = true;
  }

  /** Changes the files to the state that a machine finds after a loss of power. */
  public synchronized void forget() throws IOException {
    int kept = random.nextInt(unsyncedNames.size() + 1);
    for (int i = unsyncedNames.size() - 1; i >= kept; i--) undo(unsyncedNames.get(i));
    for (Map.Entry<Path, Long> each : syncedLengths.entrySet()) cut(each.getKey(), each.getValue());
  }

  /** Like {@link #forget}, but everything unsynced is lost. */
  public synchronized void forgetUnsynced() throws IOException {
    for (int i = unsyncedNames.size() - 1; i >= 0; i--) undo(unsyncedNames.get(i));
    for (Map.Entry<Path, Long> each : syncedLengths.entrySet()) {
      truncate(each.getKey(), each.getValue());
    }
  }

  private void undo(Change change) throws IOException {
    if (change.from().equals(change.to())) {
      Files.deleteIfExists(change.to());
      syncedLengths.remove(change.to());
      return;
    }
    if (Files.exists(change.to())) REAL.move(change.to(), change.from());
    moveLength(change.to(), change.from());
    byte[] replaced = change.replaced();
    if (replaced == null) return;
    Files.write(change.to(), replaced);
    syncedLengths.put(change.to(), (long) replaced.length);
  }

  private void moveLength(Path from, Path to) {
    Long length = syncedLengths.remove(from);
    if (length != null) syncedLengths.put(to, length);
  }

  private void cut(Path file, long synced) throws IOException {
    if (!Files.exists(file) || Files.size(file) <= synced) return;
    truncate(file, synced + random.nextLong(Files.size(file) - synced + 1));
  }

  private static void truncate(Path file, long kept) throws IOException {
    if (!Files.exists(file) || Files.size(file) <= kept) return;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      FileChannel unused = channel.truncate(kept);
    }
  }

  private void checkPower() throws IOException {
    if (isDead) throw new IOException("the power is off");
  }

  // The disk

  @Override
  public synchronized DiskFile open(Path file) throws IOException {
    checkPower();
    boolean isNew = !Files.exists(file);
    DiskFile opened = REAL.open(file);
    if (isNew) unsyncedNames.add(new Change(file, file, null));
    Long unused = syncedLengths.putIfAbsent(file, isNew ? 0 : opened.size());
    return new File(file, opened);
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return new SlowInput(REAL.read(file));
  }

  @Override
  public synchronized void move(Path from, Path to) throws IOException {
    checkPower();
    unsyncedNames.add(new Change(from, to, Files.exists(to) ? Files.readAllBytes(to) : null));
    REAL.move(from, to);
    moveLength(from, to);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    checkPower();
    REAL.delete(file);
    Long unused = syncedLengths.remove(file);
  }

  @Override
  public synchronized void createFolder(Path folder) throws IOException {
    checkPower();
    REAL.createFolder(folder);
  }

  @Override
  public synchronized void syncFolder(Path folder) throws IOException {
    checkPower();
    if (syncFails) throw new IOException("cannot be synced");
    if (ignoresSyncs) return;
    unsyncedNames.removeIf(change -> folder.equals(change.to().getParent()));
  }

  private synchronized void beforeWrite(int length) throws IOException {
    checkPower();
    if (writesUntilFailure-- <= 0) throw new IOException("Input/output error");
    if (length > room) throw new IOException("No space left on device");
    room -= length;
  }

  private synchronized int writable(int length) {
    return (int) Math.min(length, room);
  }

  private long beforeSync() throws IOException {
    synchronized (this) {
      checkPower();
      if (syncFails) throw new IOException("cannot be synced");
      return syncMillis;
    }
  }

  private synchronized void synced(Path file, long length) throws IOException {
    checkPower();
    if (ignoresSyncs) return;
    Long unused = syncedLengths.put(file, length);
  }

  private synchronized void truncated(Path file, long length) throws IOException {
    checkPower();
    syncedLengths.merge(file, length, Math::min);
  }

  private final class SlowInput extends FilterInputStream {

    SlowInput(InputStream real) {
      super(real);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (!readsAreSlow) return in.read(bytes, offset, length);
      LockSupport.parkNanos(1_000_000);
      return in.read(bytes, offset, Math.min(length, 512));
    }
  }

  private final class File implements DiskFile {

    private final Path path;
    private final DiskFile real;

    File(Path path, DiskFile real) {
      this.path = path;
      this.real = real;
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    /** Writes the bytes; if there is not enough room, writes as many as fit before it fails. */
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int possible = writable(length);
      try {
        beforeWrite(length);
      } catch (IOException e) {
        if (possible < length && !isDead) real.write(bytes, offset, possible);
        throw e;
      }
      real.write(bytes, offset, length);
    }

    @Override
    public void sync() throws IOException {
      long length = real.size();
      long millis = beforeSync();
      try {
        if (millis > 0) Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      synced(path, length);
    }

    @Override
    public void truncate(long length) throws IOException {
      truncated(path, length);
      real.truncate(length);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
