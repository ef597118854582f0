package dev.kermes.server.rdb;

import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes an RDB file: a data set as it was at one time. The output collects in memory until the
 * caller passes it to an {@link RdbStream}, so that the holder of the keyspace lock need not wait
 * for a disk.
 *
 * <pre>
 *   REDIS0010 | aux ... | libraries ... | database, keys ... | database, keys ... | ff | checksum
 *   key   [fc expiry] [f8 idle seconds | f9 frequency] type name value
 * </pre>
 *
 * The version is that of Redis 7.0, even if a value has a type that needs a later one. Servers that
 * know the type accept the file; others reject it at that key.
 */
public final class RdbWriter {

  private static final int NO_DATABASE = -1;

  private final RdbOutput out;
  private final ValueWriter values;

  /** The rest of the key that was begun last, still to be written. */
  private ValueWriter.@Nullable Rest rest;

  /** Keys that arrive before that rest has been written: they follow it. */
  private final RdbOutput followers;

  private final ValueWriter followingValues;
  private int database = NO_DATABASE;

  /**
   * Begins a file.
   *
   * @param compresses whether to compress long strings if that makes them shorter
   * @param nowMillis Unix time
   */
  public RdbWriter(boolean compresses, long nowMillis) {
    out = new RdbOutput(compresses);
    values = new ValueWriter(out, nowMillis);
    followers = new RdbOutput(compresses);
    followingValues = new ValueWriter(followers, nowMillis);
    byte[] magic = "REDIS%04d".formatted(RdbFormat.VERSION).getBytes(StandardCharsets.US_ASCII);
    out.put(magic, 0, magic.length);
  }

  /** Writes a fact about the file. */
  public void aux(String name, String value) {
    out.put(RdbFormat.AUX);
    out.putString(name.getBytes(StandardCharsets.UTF_8));
    out.putString(value.getBytes(StandardCharsets.UTF_8));
  }

  public void library(byte[] text) {
    out.put(RdbFormat.FUNCTION);
    out.putString(text);
  }

  /** Writes the number of keys in a database, so that a reader can allocate space in advance. */
  public void size(int databaseIndex, long keys, long expiringKeys) {
    select(out, databaseIndex);
    out.put(RdbFormat.RESIZE_DB);
    out.putLength(keys);
    out.putLength(expiringKeys);
  }

  private void select(RdbOutput to, int databaseIndex) {
    if (database == databaseIndex) return;
    database = databaseIndex;
    to.put(RdbFormat.SELECT_DB);
    to.putLength(databaseIndex);
  }

  /**
   * Writes a key with its slot's value, or the beginning of a large value. Until a large value is
   * complete, other keys are buffered whole and follow it.
   *
   * @param expireAtMillis Unix time, or {@link Value#NEVER}
   * @param idleSeconds since it was last used, or -1 if the eviction policy does not use it
   * @param frequency of its use, 0 to 255, or -1 if the eviction policy does not use it
   * @return whether the value has more; the caller must call {@link #more} before it changes
   */
  public boolean key(
      int databaseIndex, Object slot, long expireAtMillis, long idleSeconds, int frequency) {
    boolean follows = rest != null;
    RdbOutput to = follows ? followers : out;
    select(to, databaseIndex);
    if (expireAtMillis != Value.NEVER) {
      to.put(RdbFormat.EXPIRE_MILLIS);
      to.putLong(expireAtMillis);
    }
    if (idleSeconds >= 0) {
      to.put(RdbFormat.IDLE);
      to.putLength(idleSeconds);
    }
    if (frequency >= 0) {
      to.put(RdbFormat.FREQ);
      to.put(frequency);
    }
    if (follows) {
      followingValues.writeType(slot);
      putKey(to, slot);
      followingValues.write(slot);
      return false;
    }
    values.writeType(slot);
    putKey(to, slot);
    rest = values.begin(slot);
    return more();
  }

  /** Writes more of the value that was begun; returns whether there is still more. */
  public boolean more() {
    if (rest == null) return false;
    if (rest.write()) return true;
    rest = null;
    out.put(followers.bytes(), 0, followers.length());
    followers.clear();
    return false;
  }

  private static void putKey(RdbOutput to, Object slot) {
    if (slot instanceof Record record) {
      to.putString(record.array(), record.keyOffset(), record.keyLength());
    } else {
      to.putString(((Value) slot).key());
    }
  }

  /** The number of bytes that wait to be taken. */
  public int pending() {
    return out.length();
  }

  /**
   * Takes the waiting bytes: the first {@link #pending} bytes of an array that {@code next}
   * replaces.
   */
  public byte[] take(byte[] next) {
    return out.exchange(next);
  }
}
