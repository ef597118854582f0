package dev.kermes.server.command.cluster;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.data.Slice;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The keys of hash slots. They are found by a walk over all keys: the keyspace has no index by
 * slot, since a server outside of a cluster would pay for it. O(keys). Guarded by the keyspace
 * lock.
 */
public final class KeysInSlots {

  private static final byte[] DEL = "DEL".getBytes(StandardCharsets.US_ASCII);

  private KeysInSlots() {}

  /** Up to {@code max} keys of some slots. */
  static List<byte[]> of(Engine engine, BitSet slots, long max) {
    Database database = engine.keyspace().database(0);
    List<byte[]> keys = new ArrayList<>();
    if (max == 0) return keys;
    database
        .keys()
        .forEach(entry -> {
          if (keys.size() >= max || database.isDue(Database.expiryOf(entry))) return;
          byte[] key = Database.keyOf(entry);
          if (slots.get(HashSlots.of(key))) keys.add(key);
        });
    return keys;
  }

  /** Deletes the keys of slots that a master has lost; its replicas delete them with it. */
  public static void delete(Engine engine, BitSet slots) {
    if (slots.isEmpty() || engine.replication().isReplica()) return;
    Database database = engine.keyspace().database(0);
    for (byte[] key : of(engine, slots, Long.MAX_VALUE)) {
      boolean unused = database.remove(Slice.of(key));
      database.touch(key, 0, key.length);
      engine.keyspace().log().append(0, List.of(DEL, key));
    }
    engine.keyspace().log().endUnit();
  }
}
