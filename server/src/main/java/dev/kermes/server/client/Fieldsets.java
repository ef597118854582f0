package dev.kermes.server.client;

import dev.kermes.server.data.ByteKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lists of field names that a connection has given names, for HIMPORT. */
public final class Fieldsets {

  /** Bytes of a table entry and an array. */
  private static final int ENTRY_BYTES = 64;

  private static final int ARRAY_BYTES = 24;

  private final Map<ByteKey, byte[][]> byName = new HashMap<>(0);
  private long bytes;

  /** Gives a list of fields a name, which may have been that of another one. */
  public void put(byte[] name, byte[][] fields) {
    byte[][] replaced = byName.put(new ByteKey(name), fields);
    if (replaced != null) bytes -= bytesOf(name, replaced);
    bytes += bytesOf(name, fields);
  }

  public byte @Nullable [][] get(byte[] name) {
    return byName.get(new ByteKey(name));
  }

  /** Whether there was one of that name. */
  public boolean remove(byte[] name) {
    byte[][] removed = byName.remove(new ByteKey(name));
    if (removed != null) bytes -= bytesOf(name, removed);
    return removed != null;
  }

  /** How many there were. */
  public int clear() {
    int count = byName.size();
    byName.clear();
    bytes = 0;
    return count;
  }

  /** About what they take on the heap. */
  public long bytes() {
    return bytes;
  }

  private static long bytesOf(byte[] name, byte[][] fields) {
    long sum = (long) ENTRY_BYTES + name.length;
    for (byte[] field : fields) sum += (long) ARRAY_BYTES + field.length;
    return sum;
  }
}
