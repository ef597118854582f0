package dev.kermes.server.rdb;

import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import java.nio.charset.StandardCharsets;

/**
 * Writes an RDB file: a data set as it was at one time. What is written gathers in memory until it
 * is taken to an {@link RdbStream}, so that who has the floor need not wait for a disk.
 *
 * <pre>
 *   REDIS0010 | aux ... | libraries ... | database, keys ... | database, keys ... | ff | checksum
 *   key   [fc expiry] [f8 idle seconds | f9 frequency] type name value
 * </pre>
 *
 * The version is that of Redis 7.0, even if a value has a type that needs a later one: servers that
 * know the type take the file, and others refuse it at that key.
 */
public final class RdbWriter {

  private static final int NO_DATABASE = -1;

  private final RdbOutput out;
  private final ValueWriter values;
  private int database = NO_DATABASE;

  /**
   * Begins a file.
   *
   * @param compresses whether long strings are, if that makes them shorter
   * @param nowMillis Unix time
   */
  public RdbWriter(boolean compresses, long nowMillis) {
    out = new RdbOutput(compresses);
    values = new ValueWriter(out, nowMillis);
    byte[] magic = "REDIS%04d".formatted(RdbFormat.VERSION).getBytes(StandardCharsets.US_ASCII);
    out.put(magic, 0, magic.length);
  }

  /** A fact about the file. */
  public void aux(String name, String value) {
    out.put(RdbFormat.AUX);
    out.putString(name.getBytes(StandardCharsets.UTF_8));
    out.putString(value.getBytes(StandardCharsets.UTF_8));
  }

  public void library(byte[] text) {
    out.put(RdbFormat.FUNCTION);
    out.putString(text);
  }

  /** How many keys a database has, for who makes room before they come. */
  public void size(int databaseIndex, long keys, long expiringKeys) {
    select(databaseIndex);
    out.put(RdbFormat.RESIZE_DB);
    out.putLength(keys);
    out.putLength(expiringKeys);
  }

  private void select(int databaseIndex) {
    if (database == databaseIndex) return;
    database = databaseIndex;
    out.put(RdbFormat.SELECT_DB);
    out.putLength(databaseIndex);
  }

  /**
   * A key with its slot's value.
   *
   * @param expireAtMillis Unix time, or {@link Value#NEVER}
   * @param idleSeconds since it was last used, or -1 if nobody evicts by that
   * @param frequency of its use, 0 to 255, or -1 if nobody evicts by that
   */
  public void key(
      int databaseIndex, Object slot, long expireAtMillis, long idleSeconds, int frequency) {
    select(databaseIndex);
    if (expireAtMillis != Value.NEVER) {
      out.put(RdbFormat.EXPIRE_MILLIS);
      out.putLong(expireAtMillis);
    }
    if (idleSeconds >= 0) {
      out.put(RdbFormat.IDLE);
      out.putLength(idleSeconds);
    }
    if (frequency >= 0) {
      out.put(RdbFormat.FREQ);
      out.put(frequency);
    }
    values.writeType(slot);
    putKey(slot);
    values.write(slot);
  }

  private void putKey(Object slot) {
    if (slot instanceof byte[] record) {
      out.putString(record, Record.keyOffset(record), Record.keyLength(record));
    } else {
      out.putString(((Value) slot).key());
    }
  }

  /** Bytes that wait to be taken. */
  public int pending() {
    return out.length();
  }

  /** Takes what waits. */
  public byte[] take() {
    byte[] taken = out.toByteArray();
    out.clear();
    return taken;
  }
}
