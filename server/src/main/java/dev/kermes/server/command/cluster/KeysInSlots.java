package dev.kermes.server.command.cluster;

import dev.kermes.commands.HashSlots;
import dev.kermes.server.cluster.SlotServer;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.rdb.Dump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * The keys of hash slots. They are found by a walk over all keys: the keyspace has no index by
 * slot, since a server outside of a cluster would pay for it. O(keys). Guarded by the keyspace
 * lock.
 */
public final class KeysInSlots {

  private static final byte[] DEL = ascii("DEL");
  private static final byte[] RESTORE = ascii("RESTORE");

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

  /** The number of keys of each slot. */
  static int[] counts(Engine engine) {
    Database database = engine.keyspace().database(0);
    int[] counts = new int[HashSlots.COUNT];
    database
        .keys()
        .forEach(entry -> {
          if (!database.isDue(Database.expiryOf(entry))) {
            counts[HashSlots.of(Database.keyOf(entry))]++;
          }
        });
    return counts;
  }

  /** The keys of slots with their values. */
  public static List<SlotServer.SlotKey> withValues(Engine engine, BitSet slots) {
    Database database = engine.keyspace().database(0);
    long now = engine.keyspace().nowMillis();
    List<SlotServer.SlotKey> keys = new ArrayList<>();
    for (byte[] key : of(engine, slots, Long.MAX_VALUE)) {
      Object slot = Objects.requireNonNull(database.lookup(key));
      keys.add(new SlotServer.SlotKey(key, Dump.of(slot, now), Database.expiryOf(slot)));
    }
    return keys;
  }

  /** Adds keys with their values, here and at the replicas. */
  public static void add(Engine engine, List<SlotServer.SlotKey> keys) {
    for (SlotServer.SlotKey each : keys) add(engine, each);
    engine.keyspace().log().endUnit();
  }

  private static void add(Engine engine, SlotServer.SlotKey added) {
    Keyspace keyspace = engine.keyspace();
    Database database = keyspace.database(0);
    byte[] key = added.key();
    long expireAtMillis = added.expireAtMillis();
    Object value = value(engine, added.dump());
    if (value instanceof byte[] text) {
      database.put(Record.of(key, 0, key.length, text, 0, text.length, expireAtMillis));
    } else {
      Value collection = (Value) value;
      collection.key(key);
      collection.access(keyspace.lruClock().fresh());
      database.put(collection);
      database.account(collection);
      database.setExpiry(collection, expireAtMillis);
    }
    byte[] expiry = ascii(expireAtMillis == Value.NEVER ? "0" : Long.toString(expireAtMillis));
    keyspace
        .log()
        .append(0, List.of(RESTORE, key, expiry, added.dump(), ascii("REPLACE"), ascii("ABSTTL")));
  }

  private static Object value(Engine engine, byte[] dump) {
    Keyspace keyspace = engine.keyspace();
    EncodingLimits limits = engine.settings().encodingOptions().limits();
    try {
      return Dump.read(Slice.of(dump), limits, keyspace.hashSeed(), keyspace.nowMillis());
    } catch (IOException e) {
      throw new IllegalStateException("a dump of our own: " + e.getMessage(), e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
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
