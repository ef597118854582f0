package dev.kermes.server.engine;

import dev.kermes.server.rdb.RdbStream;
import dev.kermes.server.rdb.RdbWriter;
import dev.kermes.server.script.Library;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The data as an RDB file, or a part of them. */
final class RdbSnapshotWriter implements SnapshotWriter {

  private final Engine engine;
  private final FullSyncContent content;
  private final boolean hasChecksum;
  private final RdbWriter writer;

  /** What is being written; the writer has another array meanwhile, and they are exchanged. */
  private byte[] taken = new byte[SnapshotIterator.CHUNK];

  private int takenLength;
  private @Nullable RdbStream stream;

  /** All data. */
  RdbSnapshotWriter(Engine engine, boolean isAofBase) {
    this(engine, isAofBase, FullSyncContent.ALL);
  }

  /** Begins with the facts about the server, as they are now. */
  RdbSnapshotWriter(Engine engine, boolean isAofBase, FullSyncContent content) {
    this.engine = engine;
    this.content = content;
    FileOptions options = engine.settings().fileOptions();
    hasChecksum = options.rdbHasChecksum;
    writer = new RdbWriter(options.rdbCompresses, engine.clock().millis());
    writer.aux("redis-ver", engine.settings().announcedRelease().text());
    writer.aux("redis-bits", "64");
    writer.aux("ctime", Long.toString(engine.clock().millis() / 1000));
    writer.aux("used-mem", Long.toString(engine.memory().dataBytes()));
    writer.aux("aof-base", isAofBase ? "1" : "0");
    if (!isAofBase) describeHistory(engine.replication());
    if (content != FullSyncContent.NOTHING) {
      for (Library library : engine.scripting().libraries().all()) writer.library(library.code());
    }
    if (content != FullSyncContent.ALL) return;
    for (Database database : engine.databases()) {
      if (database.size() == 0) continue;
      writer.size(database.index(), database.size(), database.expiringSize());
    }
  }

  /** Where in which history the data are, so that after a restart only the rest is to be sent. */
  private void describeHistory(Replication replication) {
    boolean hasStream = replication.replicas().stream() != null;
    if (replication.isReplica() ? !replication.mayContinue() : !hasStream) return;
    writer.aux("repl-stream-db", Integer.toString(replication.streamDatabase()));
    writer.aux("repl-id", replication.id());
    writer.aux("repl-offset", Long.toString(replication.offset()));
  }

  @Override
  public boolean slot(int database, Object slot) {
    if (content != FullSyncContent.ALL) return false;
    EvictionPolicy policy = engine.settings().memoryLimits().policy;
    return writer.key(
        database,
        slot,
        Database.expiryOf(slot),
        policy.isByUse() && !policy.isLfu() ? engine.lruClock().idleSeconds(slot) : -1,
        policy.isLfu() ? engine.lruClock().frequency(slot) : -1);
  }

  @Override
  public boolean more() {
    return writer.more();
  }

  @Override
  public int pending() {
    return writer.pending();
  }

  @Override
  public void take() {
    takenLength = writer.pending();
    taken = writer.take(taken);
  }

  @Override
  public void write(OutputStream out) throws IOException {
    stream(out).write(taken, takenLength);
  }

  @Override
  public void end(OutputStream out) throws IOException {
    stream(out).end();
  }

  private RdbStream stream(OutputStream out) {
    RdbStream known = stream;
    if (known != null) return known;
    RdbStream opened = new RdbStream(out, hasChecksum);
    stream = opened;
    return opened;
  }
}
