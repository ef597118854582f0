package dev.kermes.server.engine;

import dev.kermes.server.rdb.RdbStream;
import dev.kermes.server.rdb.RdbWriter;
import dev.kermes.server.script.Library;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** All keys as an RDB file. */
final class RdbForm implements SnapshotForm {

  private final Engine engine;
  private final boolean hasChecksum;
  private final RdbWriter writer;
  private @Nullable RdbStream stream;

  /** Begins with the facts about the server, as they are now. */
  RdbForm(Engine engine, boolean isAofBase) {
    this.engine = engine;
    FileOptions options = engine.settings().fileOptions();
    hasChecksum = options.rdbHasChecksum;
    writer = new RdbWriter(options.rdbCompresses, engine.clock().millis());
    writer.aux("redis-ver", Engine.REDIS_VERSION);
    writer.aux("redis-bits", "64");
    writer.aux("ctime", Long.toString(engine.clock().millis() / 1000));
    writer.aux("used-mem", Long.toString(engine.memory().dataBytes()));
    writer.aux("aof-base", isAofBase ? "1" : "0");
    Replication replication = engine.replication();
    if (replication.isReplica()) { // where its master's stream goes on
      writer.aux("repl-stream-db", Integer.toString(replication.streamDatabase()));
    }
    for (Library library : engine.scripting().libraries().all()) writer.library(library.code());
    for (Database database : engine.databases()) {
      if (database.size() == 0) continue;
      writer.size(database.index(), database.size(), database.expiringSize());
    }
  }

  @Override
  public void slot(int database, Object slot) {
    EvictionPolicy policy = engine.settings().memoryLimits().policy;
    writer.key(
        database,
        slot,
        Database.expiryOf(slot),
        policy.isByUse() && !policy.isLfu() ? engine.access().idleSeconds(slot) : -1,
        policy.isLfu() ? engine.access().frequency(slot) : -1);
  }

  @Override
  public int pending() {
    return writer.pending();
  }

  @Override
  public byte[] take() {
    return writer.take();
  }

  @Override
  public void write(OutputStream out, byte[] part) throws IOException {
    stream(out).write(part);
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
