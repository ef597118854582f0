package dev.kermes.server.keyspace;

import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Dict;
import dev.kermes.server.data.ExpiredFields;
import dev.kermes.server.data.ExpiryTable;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.SlotRotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a database that expire, and the hashes whose fields expire: finds and deletes those
 * that are due. Guarded by the keyspace lock.
 */
public final class DatabaseExpiry {

  /** The number of keys whose time to live is averaged. */
  private static final int TTL_SAMPLES = 64;

  private static final byte[] HDEL = {'H', 'D', 'E', 'L'};

  private final Database database;
  private final Keyspace keyspace;

  /** The slots with an expiry, which the database's own table has, too. */
  private ExpiryTable keys;

  /** Hashes with fields that expire. */
  private SlotRotation hashes;

  /** Keys that clients of a replica gave an expiry unknown to its master. */
  private final SlotRotation ownKeys;

  /** The hashes of the due keys that a sweep found: 64 and the rest of a group at most. */
  private final long[] dueHashes = new long[128];

  /** Keeps the loads of {@link #touch} from being optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  DatabaseExpiry(Database database, Keyspace keyspace, Dict all) {
    this.database = database;
    this.keyspace = keyspace;
    keys = new ExpiryTable(all);
    hashes = new SlotRotation(keyspace.hashSeed());
    ownKeys = new SlotRotation(keyspace.hashSeed());
  }

  // The tables

  /** The number of keys with an expiry. */
  public int size() {
    return keys.size();
  }

  /** The number of hashes with fields that expire. */
  public int hashesSize() {
    return hashes.size();
  }

  /** The number of keys whose expiry is not the master's. */
  public int ownSize() {
    return ownKeys.size();
  }

  /** The bytes of the table of keys with an expiry. */
  public long keyTableBytes() {
    return keys.tableBytes();
  }

  long tableBytes() {
    return keys.tableBytes() + hashes.tableBytes();
  }

  void expect(int count) {
    keys.expect(count);
  }

  /** The table of the keys with an expiry, for drawing random ones. */
  Dict slots() {
    return keys.slots();
  }

  /** The mean time to live of some random keys that expire, in milliseconds; 0 without any. */
  public long averageTtlMillis() {
    if (size() == 0) return 0;
    double sum = 0;
    for (int i = 0; i < TTL_SAMPLES; i++) {
      Object slot = Objects.requireNonNull(database.random(true));
      sum += Math.max(0, Database.expiryOf(slot) - keyspace.nowMillis());
    }
    return Math.round(sum / TTL_SAMPLES);
  }

  @Nullable Object find(byte[] key) {
    return keys.find(key);
  }

  void add(Object slot, boolean isOwn) {
    long expireAtMillis = Database.expiryOf(slot);
    keys.put(slot, expireAtMillis);
    if (isOwn) ownKeys.put(Database.keyOf(slot));
  }

  void remove(byte[] key, int offset, int length) {
    keys.remove(key, offset, length);
  }

  /** Notes whether a hash of the database has fields that expire. */
  void note(RedisHash hash) {
    if (!hash.isInKeyspace()) return;
    if (hash.hasExpiring()) hashes.put(hash);
    else hashes.remove(hash.key());
  }

  void remove(RedisHash hash) {
    hashes.remove(hash.key());
  }

  /** Forgets all keys; the database's table is now {@code all}. */
  void clear(Dict all) {
    keys = new ExpiryTable(all);
    hashes.clear();
    ownKeys.clear();
  }

  /** Makes all expiries those of the master, or of this server as a master. */
  public void forgetOwn() {
    ownKeys.clear();
  }

  /** Exchanges the tables, except for the keys whose expiry is not the master's. */
  void swapWith(DatabaseExpiry other) {
    ExpiryTable otherKeys = other.keys;
    SlotRotation otherHashes = other.hashes;
    other.keys = keys;
    other.hashes = hashes;
    keys = otherKeys;
    hashes = otherHashes;
  }

  // Keys

  /** Deletes an expired key if the server deletes any now. */
  public void expireUnlessKept(byte[] key) {
    if (!keyspace.keepsDue()) expire(key);
  }

  /** Deletes an expired key, logs that and publishes the event. */
  public void expire(byte[] key) {
    database.removeExpired(key);
    keyspace.statistics().expiredKeys++;
    logExpired(key);
    database.touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.EXPIRED, "expired", key, database);
  }

  /** Logs the deletion of an expired key. */
  public void logExpired(byte[] key) {
    database.logDeletion(key, keyspace.settings().memoryOptions().lazyExpiry.isOn());
  }

  /**
   * Deletes about {@code dueMax} expired keys at most, out of about {@code seenMax} keys with an
   * expiry that follow those seen last. Returns the share of expired keys among those seen, 0 to 1.
   */
  double expireSome(int seenMax, int dueMax) {
    if (keyspace.seesDue()) return 0;
    ExpiryTable.Found found = keys.due(seenMax, dueMax, keyspace.nowMillis());
    touch(found.due());
    for (byte[] key : found.due()) {
      expire(key);
      keyspace.log().endUnit();
    }
    return found.share();
  }

  /** Loads the memory that the removal of these keys needs, so that the loads overlap. */
  private void touch(List<byte[]> due) {
    int count = Math.min(due.size(), dueHashes.length);
    for (int i = 0; i < count; i++) {
      dueHashes[i] = database.keys().hash(due.get(i), 0, due.get(i).length);
    }
    touched += database.keys().touch(dueHashes, count);
  }

  /** Does the same on a replica, with the next keys whose expiry is not its master's. */
  double expireSomeOwn(int keysMin) {
    List<Object> slots = ownKeys.next(keysMin);
    int over = 0;
    for (Object slot : slots) {
      byte[] key = Database.keyOf(slot);
      if (!isOwnOver(key)) continue;
      Object current = keys.find(key);
      if (current != null) expire(key);
      ownKeys.remove(key);
      keyspace.log().endUnit();
      over++;
    }
    return slots.isEmpty() ? 0 : (double) over / slots.size();
  }

  /** Whether a key has expired or no longer has an expiry. */
  private boolean isOwnOver(byte[] key) {
    Object current = keys.find(key);
    return current == null || database.isDue(Database.expiryOf(current));
  }

  // Fields

  /**
   * Removes about {@code dueMax} expired fields at most, from the next {@code hashesMin} hashes
   * with fields that expire, out of about {@code seenMax} fields together. Returns the share of
   * expired fields among those seen, 0 to 1.
   */
  double expireSomeFields(int hashesMin, int seenMax, int dueMax) {
    List<Object> next = hashes.next(hashesMin);
    int count = Math.max(1, next.size());
    long seen = 0;
    long expired = 0;
    for (Object slot : next) {
      RedisHash hash = (RedisHash) slot;
      database.beforeChange(hash);
      int dueOfEach = Math.max(1, dueMax / count);
      ExpiredFields fields = hash.expireSome(seenMax / count, dueOfEach, keyspace.nowMillis());
      if (!fields.names().isEmpty()) fieldsExpired(hash, fields.names());
      seen += fields.seen();
      expired += fields.names().size();
      keyspace.log().endUnit();
    }
    return expired == 0 ? 0 : (double) expired / Math.max(seen, expired);
  }

  /** Notes the removal of expired fields, and removes the hash if it is empty. */
  public void fieldsExpired(RedisHash hash, List<byte[]> fields) {
    noteExpired(hash, fields);
    if (hash.size() > 0) return;
    boolean unused = database.remove(Slice.of(hash.key()));
    keyspace.listener().notify(KeyspaceEvent.GENERIC, "del", hash.key(), database);
  }

  /** Does the same without removing the hash. */
  public void noteExpired(RedisHash hash, List<byte[]> fields) {
    byte[] key = hash.key();
    keyspace.statistics().expiredFields += fields.size();
    if (keyspace.log().isRead()) {
      List<byte[]> removal = new ArrayList<>(List.of(HDEL, key));
      removal.addAll(fields);
      keyspace.log().append(database.index(), removal);
    }
    database.touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.HASH, "hexpired", key, database);
    database.account(hash);
  }
}
