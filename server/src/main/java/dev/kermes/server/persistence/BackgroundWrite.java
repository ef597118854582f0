package dev.kermes.server.persistence;

import dev.kermes.server.flight.SnapshotRun;
import dev.kermes.server.keyspace.Keyspace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Writes a snapshot to a file on a separate thread. */
final class BackgroundWrite implements Runnable {

  /**
   * Called at the end, with the keyspace lock: the failure, a CancellationException if given up, or
   * null.
   */
  @FunctionalInterface
  interface Ending {
    void ended(@Nullable Exception failure);
  }

  private final Keyspace keyspace;
  private final Path file;
  private final Ending ending;
  private final SnapshotIterator walk;
  private volatile boolean isGivenUp;

  /** Begins the snapshot; the caller holds the keyspace lock. */
  BackgroundWrite(Snapshots snapshots, Path file, SnapshotWriter form, Ending ending) {
    keyspace = snapshots.keyspace();
    this.file = file;
    this.ending = ending;
    walk = new SnapshotIterator(snapshots, form);
  }

  /** Ends the write soon, as a failure. */
  void giveUp() {
    isGivenUp = true;
  }

  @Override
  public void run() {
    SnapshotRun recorded = SnapshotRun.start(file.toString());
    Exception failure = null;
    try {
      keyspace.settings().fileOptions().replace(file, this::writeTo);
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (OutOfMemoryError e) {
      failure = new IOException("out of memory", e);
    }
    if (recorded != null) recorded.finish(failure);
    finish(failure);
  }

  private void writeTo(OutputStream out) throws IOException {
    boolean hasMore = true;
    while (hasMore) {
      if (isGivenUp) throw new CancellationException("given up");
      hasMore = walk.next(out);
    }
  }

  private void finish(@Nullable Exception failure) {
    keyspace.withLock(() -> {
      walk.end();
      ending.ended(failure);
    });
  }
}
