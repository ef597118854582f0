package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A connection's named lists of fields, for HIMPORT. */
public final class Fieldsets {

  /** The bytes of a table entry and an array. */
  private static final int ENTRY_BYTES = 64;

  private static final int ARRAY_BYTES = 24;

  private final Map<ByteKey, byte[][]> byName = new HashMap<>(0);
  private long bytes;

  /** Stores a list of fields under a name, replacing any previous list. */
  public void put(byte[] name, byte[][] fields) {
    byte[][] replaced = byName.put(new ByteKey(name), fields);
    if (replaced != null) bytes -= bytesOf(name, replaced);
    bytes += bytesOf(name, fields);
  }

  public byte @Nullable [][] get(byte[] name) {
    return byName.get(new ByteKey(name));
  }

  /** Removes a list; returns whether it existed. */
  public boolean remove(byte[] name) {
    byte[][] removed = byName.remove(new ByteKey(name));
    if (removed != null) bytes -= bytesOf(name, removed);
    return removed != null;
  }

  /** Removes all lists; returns how many there were. */
  public int clear() {
    int count = byName.size();
    byName.clear();
    bytes = 0;
    return count;
  }

  /** The approximate bytes of all lists on the heap. */
  public long bytes() {
    return bytes;
  }

  private static long bytesOf(byte[] name, byte[][] fields) {
    long sum = (long) ENTRY_BYTES + name.length;
    for (byte[] field : fields) sum += (long) ARRAY_BYTES + field.length;
    return sum;
  }
}
