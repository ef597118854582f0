package dev.kermes.server.persistence;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.rdb.Dump;
import dev.kermes.server.script.Library;
import dev.kermes.server.time.Clock;
import java.io.IOException;
import java.io.OutputStream;

/** Writes all keys as commands: SET for strings, RESTORE for everything else. */
final class CommandSnapshotWriter implements SnapshotWriter {

  private static final int NO_DATABASE = -1;

  private final Clock clock;
  private final RespWriter out = new RespWriter(1 << 16);
  private int selected = NO_DATABASE;
  private byte[] taken = {};

  CommandSnapshotWriter(Keyspace keyspace) {
    clock = keyspace.clock();
    if (keyspace.settings().aofOptions().writesTimes.isOn()) {
      out.raw(AofWriter.annotation(clock.millis() / 1000));
    }
    for (Library library : keyspace.scripting().libraries().all()) {
      out.array(3);
      out.bulk("FUNCTION");
      out.bulk("LOAD");
      out.bulk(library.code());
    }
  }

  @Override
  public boolean slot(int database, Object slot) {
    if (database != selected) {
      selected = database;
      out.array(2);
      out.bulk("SELECT");
      out.bulk(database);
    }
    long expireAtMillis = Database.expiryOf(slot);
    boolean expires = expireAtMillis != Value.NEVER;
    if (slot instanceof Record record) {
      out.array(expires ? 5 : 3);
      out.bulk("SET");
      out.bulk(record.array(), record.keyOffset(), record.keyLength());
      out.bulk(record.array(), record.valueOffset(), record.valueLength());
      if (expires) out.bulk("PXAT");
    } else {
      out.array(expires ? 5 : 4);
      out.bulk("RESTORE");
      out.bulk(Database.keyOf(slot));
      out.bulk(expires ? expireAtMillis : 0);
      out.bulk(Dump.of(slot, clock.millis()));
      if (expires) out.bulk("ABSTTL");
    }
    if (expires && slot instanceof Record) out.bulk(expireAtMillis);
    return false;
  }

  @Override
  public boolean more() {
    return false;
  }

  @Override
  public int pending() {
    return out.size();
  }

  @Override
  public void take() {
    taken = out.toByteArray();
    out.clear(1 << 20);
  }

  @Override
  public void write(OutputStream file) throws IOException {
    file.write(taken);
  }

  @Override
  public void end(OutputStream file) {
    // The format has no end mark.
  }
}
