package dev.kermes.server.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One walk through a snapshot into a file, by a thread that takes the floor slice by slice. */
final class BackgroundWrite implements Runnable {

  /** What follows, with the floor: the failure, or null. */
  @FunctionalInterface
  interface Ending {
    void ended(@Nullable Exception failure);
  }

  /** 0.1 ms: it holds the floor no longer at a time, but for a larger value. */
  private static final long SLICE_NANOS = 100_000;

  /** 0.1 ms: what it leaves to others between two slices while there are any. */
  private static final long PAUSE_NANOS = 100_000;

  /** 64 KB: what is brought to the file at once. */
  static final int CHUNK = 1 << 16;

  private final Engine engine;
  private final Path file;
  private final SnapshotForm form;
  private final Ending ending;
  private final Snapshot snapshot;
  private volatile boolean isGivenUp;
  private boolean hasMore = true;
  private long turns;
  private boolean hasCompany;

  /** Begins the snapshot; the caller has the floor. */
  BackgroundWrite(Engine engine, Path file, SnapshotForm form, Ending ending) {
    this.engine = engine;
    this.file = file;
    this.form = form;
    this.ending = ending;
    snapshot = Snapshot.begin(engine, form::slot);
  }

  /** Ends it soon, with a failure. */
  void giveUp() {
    isGivenUp = true;
  }

  @Override
  public void run() {
    Exception failure = null;
    try {
      Replacement.write(engine.settings().fileOptions(), file, this::writeTo);
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    finish(failure);
  }

  private void writeTo(OutputStream out) throws IOException {
    while (hasMore) {
      if (isGivenUp) throw new IOException("given up");
      form.write(out, slice());
      if (hasCompany) LockSupport.parkNanos(PAUSE_NANOS);
    }
    form.end(out);
  }

  /** Some of what is still to be written. */
  private byte[] slice() {
    engine.floor().take();
    long start = engine.clock().nanos();
    long now = start;
    hasCompany = engine.floor().turns() > turns + 1;
    turns = engine.floor().turns();
    try {
      while (hasMore && now - start < SLICE_NANOS && form.pending() < CHUNK) {
        hasMore = snapshot.next();
        now = engine.clock().nanos();
      }
      return form.take();
    } finally {
      engine.floor().giveUp(now - start);
    }
  }

  private void finish(@Nullable Exception failure) {
    engine.floor().take();
    long start = engine.clock().nanos();
    try {
      snapshot.end();
      ending.ended(failure);
    } finally {
      engine.floor().giveUp(engine.clock().nanos() - start);
    }
  }
}
