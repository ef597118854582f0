package dev.kermes.server.persistence;

import dev.kermes.server.config.EvictionPolicy;
import dev.kermes.server.config.FileOptions;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.LruClock;
import dev.kermes.server.rdb.RdbStream;
import dev.kermes.server.rdb.RdbWriter;
import dev.kermes.server.script.Library;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Writes all data, or a part of them, as an RDB file. */
public final class RdbSnapshotWriter implements SnapshotWriter {

  private final MemoryOptions limits;
  private final LruClock lruClock;
  private final FullSyncContent content;
  private final boolean hasChecksum;
  private final RdbWriter writer;

  /**
   * The bytes being written; the other array, being filled in the meantime, changes places with
   * this one.
   */
  private byte[] taken = new byte[SnapshotIterator.CHUNK];

  private int takenLength;
  private @Nullable RdbStream stream;

  /**
   * Begins with facts about the server as they are now.
   *
   * @param isAofBase whether the file is the base of an append only file
   * @param position the position that the file records; null for none
   */
  public RdbSnapshotWriter(
      Keyspace keyspace,
      boolean isAofBase,
      @Nullable ReplicationPosition position,
      FullSyncContent content) {
    this.content = content;
    lruClock = keyspace.lruClock();
    limits = keyspace.settings().memoryOptions();
    FileOptions options = keyspace.settings().fileOptions();
    hasChecksum = options.rdbHasChecksum.isOn();
    writer = new RdbWriter(options.rdbCompresses.isOn(), keyspace.clock().millis());
    writer.aux("redis-ver", keyspace.settings().serverOptions().announcedRelease.value().text());
    writer.aux("redis-bits", "64");
    writer.aux("ctime", Long.toString(keyspace.clock().millis() / 1000));
    writer.aux("used-mem", Long.toString(keyspace.memory().dataBytes()));
    writer.aux("aof-base", isAofBase ? "1" : "0");
    if (position != null) describe(position);
    if (content != FullSyncContent.NOTHING) {
      for (Library library : keyspace.scripting().libraries().all()) writer.library(library.code());
    }
    if (content != FullSyncContent.ALL) return;
    for (Database database : keyspace.databases()) {
      if (database.size() == 0) continue;
      writer.size(database.index(), database.size(), database.expiry().size());
    }
  }

  private void describe(ReplicationPosition position) {
    writer.aux("repl-stream-db", Integer.toString(position.database()));
    writer.aux("repl-id", position.id());
    writer.aux("repl-offset", Long.toString(position.offset()));
  }

  @Override
  public boolean slot(int database, Object slot) {
    if (content != FullSyncContent.ALL) return false;
    EvictionPolicy policy = limits.policy.value();
    return writer.key(
        database,
        slot,
        Database.expiryOf(slot),
        policy.isByUse() && !policy.isLfu() ? lruClock.idleSeconds(slot) : -1,
        policy.isLfu() ? lruClock.frequency(slot) : -1);
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
