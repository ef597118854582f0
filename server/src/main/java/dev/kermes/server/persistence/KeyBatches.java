package dev.kermes.server.persistence;

import dev.kermes.server.data.Dict;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.rdb.RdbInput;
import dev.kermes.server.rdb.RdbReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the content of an RDB file to the data, some keys at a time; the values are built without
 * the keyspace lock. Owned by the thread that loads.
 */
public final class KeyBatches implements RdbReader.Sink {

  /** 256: a batch is added in about 0.1 ms, unless its keys replace others. */
  private static final int KEYS_AT_ONCE = 256;

  private final Loading loading;
  private final List<Database> databases;
  private final RdbInput input;

  /** Called with the keyspace lock. */
  private final RdbReader.Sink data;

  /** Keys, each possibly preceded by its {@link RdbReader.Usage}. */
  private final List<Object> keys = new ArrayList<>();

  private final long[] hashes = new long[KEYS_AT_ONCE];
  private int hashed;

  private int database;
  private long loadedTo;

  private int touched;

  /** Creates batches; {@code data} adds the keys that it receives to {@code databases}. */
  public KeyBatches(
      Loading loading, RdbInput input, List<Database> databases, RdbReader.Sink data) {
    this.loading = loading;
    this.databases = databases;
    this.input = input;
    this.data = data;
  }

  @Override
  public void aux(String name, byte[] value) throws IOException {
    loading.slice(() -> data.aux(name, value));
  }

  @Override
  public void library(byte[] text) throws IOException {
    loading.slice(() -> data.library(text));
  }

  @Override
  public void expect(int count, int expiring) throws IOException {
    loading.slice(() -> data.expect(count, expiring));
  }

  @Override
  public void database(int index) throws IOException {
    add(); // the keys of the previous database
    loading.slice(() -> data.database(index));
    database = index;
  }

  @Override
  public void usage(RdbReader.Usage usage) {
    keys.add(usage);
  }

  @Override
  public void key(Object slot) throws IOException {
    loading.delay();
    keys.add(slot);
    hashes[hashed++] = databases.get(database).keys().hashOf(slot);
    if (hashed == KEYS_AT_ONCE) add();
  }

  /** Prevents the optimizer from removing the loads of {@link Dict#touchPlaces}. */
  int touched() {
    return touched;
  }

  /** Adds the remaining keys. */
  public void end() throws IOException {
    add();
  }

  private void add() throws IOException {
    touched += databases.get(database).keys().touchPlaces(hashes, hashed);
    loading.slice(() -> {
      for (Object each : keys) {
        if (each instanceof RdbReader.Usage usage) data.usage(usage);
        else data.key(each);
      }
      long offset = input.offset(); // roughly: another thread may read ahead
      loading.advance(offset - loadedTo);
      loadedTo = offset;
    });
    keys.clear();
    hashed = 0;
  }
}
