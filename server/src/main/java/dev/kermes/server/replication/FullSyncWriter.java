package dev.kermes.server.replication;

import dev.kermes.server.flight.FullSyncRun;
import dev.kermes.server.persistence.SnapshotIterator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a full sync, the data as they are at its beginning, for all waiting replicas. The bytes
 * pass through a chain that every connection reads at its own pace, so that they hardly ever exist
 * as a whole. Only a replica that needs its length first makes the chain keep all of it. On a
 * separate thread.
 */
final class FullSyncWriter implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(FullSyncWriter.class);

  /** 4 MiB: the most that is written ahead of the slowest replica. */
  private static final long AHEAD_MAX = 4 << 20;

  /** 1 ms: the sleep between two checks of the slowest replica. */
  private static final long PAUSE_NANOS = 1_000_000;

  private final Replicas owner;
  private final List<Replica> replicas;
  private final String mark;
  private final ByteChain chain = new ByteChain(0);
  private final boolean keepsAll;
  private final SnapshotIterator walk;
  private volatile boolean isGivenUp;
  private volatile long length = Long.MAX_VALUE;

  /** Begins a full sync; the caller holds the keyspace lock. */
  FullSyncWriter(Replicas owner, SnapshotIterator walk, List<Replica> replicas, String mark) {
    this.owner = owner;
    this.walk = walk;
    this.replicas = replicas;
    this.mark = mark;
    keepsAll = replicas.stream().anyMatch(replica -> !replica.knowsMarks());
  }

  /** The beginning of the full sync. */
  ByteChain.Cursor cursor() {
    return chain.at(0);
  }

  String mark() {
    return mark;
  }

  /** Whether the full sync ends at that offset. */
  boolean isComplete(long offset) {
    return offset == length;
  }

  /** Whether more of the full sync can be read after that offset. */
  boolean hasMoreAt(long offset) {
    return chain.end() > offset;
  }

  void giveUp() {
    isGivenUp = true;
  }

  @Override
  public void run() {
    FullSyncRun recorded = FullSyncRun.start(replicas.size());
    Throwable failure = null;
    try {
      write();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.warn("full sync not written: {}", e.toString());
      failure = e;
    }
    if (recorded != null) recorded.finish(chain.end(), failure);
    finish(failure == null);
  }

  private void write() throws IOException {
    OutputStream out = new ChainOutput();
    boolean hasMore = true;
    while (hasMore) {
      awaitReaders();
      hasMore = walk.next(out);
      for (Replica replica : replicas) replica.session().connection().wake();
    }
  }

  private void awaitReaders() throws IOException {
    while (!isGivenUp && chain.end() - slowest() > AHEAD_MAX) LockSupport.parkNanos(PAUSE_NANOS);
    boolean isWanted = replicas.stream().anyMatch(replica -> !replica.session().isClosing());
    if (isGivenUp || !isWanted) throw new IOException("no replica waits for it any more");
    if (!keepsAll) chain.forget(slowest());
  }

  /** The offset of the slowest replica that is still connected and reads. */
  private long slowest() {
    long slowest = chain.end();
    for (Replica replica : replicas) {
      ByteChain.Cursor current = replica.cursor();
      if (current != null && !replica.session().isClosing()) {
        slowest = Math.min(slowest, current.offset());
      }
    }
    return slowest;
  }

  private void finish(boolean isWhole) {
    owner
        .keyspace()
        .withLock(() -> {
          walk.end();
          if (isWhole) length = chain.end();
          for (Replica replica : replicas) {
            if (!isWhole) replica.session().close();
            else if (!replica.knowsMarks()) sendWhole(replica);
            replica.session().connection().wake();
          }
          owner.fullSyncEnded();
        });
  }

  private void sendWhole(Replica replica) {
    String announcement = "$" + length + "\r\n";
    replica.session().output().send(announcement.getBytes(StandardCharsets.US_ASCII));
    replica.reads(cursor());
  }

  private final class ChainOutput extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      chain.append(bytes, offset, count);
    }
  }
}
