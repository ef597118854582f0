package dev.kermes.server.engine;

import dev.kermes.server.data.Dict;
import dev.kermes.server.data.ExpiryTable;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One numbered keyspace. A slot of its table is a string's {@link Record} or a {@link Value}; keys
 * that expire stand in a second table as well, which shares the slots.
 */
public final class Database {

  private static final byte[] DEL = {'D', 'E', 'L'};
  private static final byte[] UNLINK = {'U', 'N', 'L', 'I', 'N', 'K'};
  private static final byte[] HDEL = {'H', 'D', 'E', 'L'};

  private final Engine engine;
  private final int index;

  /** Whether clients see it: of one that is made beside it nobody hears. */
  private final boolean isServed;

  private Dict keys;
  private ExpiryTable expires;

  /** Hashes of which fields expire. */
  private ExpiryTable expiringHashes;

  /**
   * Keys to which clients of a replica gave an expiry: its master does not know of it. Only the
   * keys of these slots count, which may have others by now.
   */
  private final ExpiryTable ownExpires;

  /** What the contents of all values take. */
  private long valueBytes;

  private KeySizes sizes = new KeySizes();

  /** Who has to see what is changed before it is; null most of the time. */
  private @Nullable Snapshot snapshot;

  private final Map<ByteKey, Set<Session>> watchers = new HashMap<>();
  private final Map<ByteKey, Set<BlockedClient>> blockedClients = new HashMap<>();

  Database(Engine engine, int index) {
    this(engine, index, true);
  }

  private Database(Engine engine, int index, boolean isServed) {
    this.engine = engine;
    this.index = index;
    this.isServed = isServed;
    keys = new Dict(engine.hashSeed());
    expires = new ExpiryTable(engine.hashSeed());
    expiringHashes = new ExpiryTable(engine.hashSeed());
    ownExpires = new ExpiryTable(engine.hashSeed());
  }

  /** An empty one to take its place when it is full, by {@link #takeOver}. */
  Database beside() {
    return new Database(engine, index, false);
  }

  Engine engine() {
    return engine;
  }

  public int index() {
    return index;
  }

  public int size() {
    return keys.size();
  }

  public int expiringSize() {
    return expires.size();
  }

  /** Hashes of which fields expire. */
  public int expiringHashesSize() {
    return expiringHashes.size();
  }

  /** Keys, expired ones included until they are noticed. */
  public Dict keys() {
    return keys;
  }

  /** Makes the tables of an empty database as large as so many keys will want them. */
  void expect(int count, int expiring) {
    keys.expect(count);
    expires.expect(expiring);
  }

  // Slots

  /** The slot of a live key, or null; an expired key is deleted on the way. */
  public @Nullable Object lookup(byte[] key, int offset, int length) {
    Object slot = keys.find(key, offset, length);
    if (slot == null) return null;
    if (slot instanceof byte[] record) {
      if (!Record.hasExpiry(record) || !isDue(Record.expireAtMillis(record))) return slot;
    } else if (!isDue(((Value) slot).expireAtMillis())) {
      return slot;
    }
    expireUnlessKept(slot);
    return null;
  }

  public @Nullable Object lookup(byte[] key) {
    return lookup(key, 0, key.length);
  }

  /** Whether the time of a key is over, for the client whose command is being run. */
  public boolean isDue(long expireAtMillis) {
    return expireAtMillis != Value.NEVER
        && expireAtMillis <= engine.nowMillis()
        && !engine.seesDue();
  }

  /**
   * Whether what is to end then need not begin; a server that is imported keeps all, and a replica
   * what its master has.
   */
  public boolean isPast(long expireAtMillis) {
    boolean keepsAll =
        engine.isReplaying() || engine.settings().importMode() || engine.replication().isReplica();
    return expireAtMillis <= engine.nowMillis() && !keepsAll;
  }

  /** Stores a slot under its own key, with its own expiry; returns the slot that it replaced. */
  public @Nullable Object put(Object slot) {
    beforeChange(slot);
    Object replaced = keys.put(slot);
    if (replaced != slot) {
      if (replaced != null) leave(replaced);
      enter(slot);
    }
    if (expiryOf(slot) != Value.NEVER) addExpiry(slot);
    else if (replaced != null && expiryOf(replaced) != Value.NEVER) removeExpiry(slot);
    if (replaced == null && isServed && engine.cares(this)) engine.keyCreated(this, slot);
    else if (replaced != null && !blockedClients.isEmpty()) markReady(keyOf(slot));
    return replaced;
  }

  /** Takes a key out, with its expiry; returns its slot or null. */
  public @Nullable Object remove(byte[] key, int offset, int length) {
    if (snapshot != null) snapshot.beforeRemoval(keys, key, offset, length);
    Object removed = keys.remove(key, offset, length);
    if (removed == null) return null;
    leave(removed);
    if (expiryOf(removed) != Value.NEVER) expires.remove(key, offset, length);
    if (!blockedClients.isEmpty()) markReady(keyOf(removed));
    return removed;
  }

  public @Nullable Object remove(byte[] key) {
    return remove(key, 0, key.length);
  }

  private void enter(Object slot) {
    if (slot instanceof byte[] record) {
      sizes.addString(record);
    } else {
      Value value = (Value) slot;
      value.isInKeyspace(true);
      account(value);
    }
  }

  private void leave(Object slot) {
    if (slot instanceof byte[] record) sizes.removeString(record);
    else leave((Value) slot);
  }

  private void leave(Value value) {
    sizes.remove(value);
    valueBytes -= value.accountedBytes();
    value.isInKeyspace(false);
    if (value instanceof RedisHash hash && hash.allowsExpiry()) expiringHashes.remove(hash.key());
  }

  /** Brings the account up to date after a value may have changed. */
  public void account(Value value) {
    valueBytes += value.account();
    if (value.isInKeyspace()) sizes.update(value);
    if (value instanceof RedisHash hash && hash.allowsExpiry()) noteExpiring(hash);
  }

  private void noteExpiring(RedisHash hash) {
    if (!hash.isInKeyspace()) return;
    if (hash.hasExpiring()) expiringHashes.put(hash);
    else expiringHashes.remove(hash.key());
  }

  /** How many values there are of which size. */
  public KeySizes sizes() {
    return sizes;
  }

  /** About what keys and values take on the heap. */
  public long dataBytes() {
    return keys.heapBytes() + expires.tableBytes() + expiringHashes.tableBytes() + valueBytes;
  }

  public long tableBytes() {
    return keys.tableBytes();
  }

  public long expiresBytes() {
    return expires.tableBytes();
  }

  /** A key drawn at random, of all or of those that expire; null if there is none. */
  @Nullable Object random(boolean isExpiring) {
    return (isExpiring ? expires.slots() : keys).random(engine.random());
  }

  /** Gives a slot of this database another expiry time, {@link Value#NEVER} for none. */
  public void setExpiry(Object slot, long unixMillis) {
    beforeChange(slot);
    if (slot instanceof byte[] record) {
      put(Record.withExpiry(record, unixMillis));
      return;
    }
    Value value = (Value) slot;
    boolean hadExpiry = value.expireAtMillis() != Value.NEVER;
    value.expireAtMillis(unixMillis);
    if (unixMillis != Value.NEVER) addExpiry(value);
    else if (hadExpiry) removeExpiry(value);
  }

  private void addExpiry(Object slot) {
    expires.put(slot);
    if (isServed && engine.ownsExpiries()) ownExpires.put(slot);
  }

  public static long expiryOf(Object slot) {
    if (slot instanceof byte[] record) return Record.expireAtMillis(record);
    return ((Value) slot).expireAtMillis();
  }

  public static byte[] keyOf(Object slot) {
    return slot instanceof byte[] record ? Record.key(record) : ((Value) slot).key();
  }

  private void removeExpiry(Object slot) {
    byte[] key = keyOf(slot);
    expires.remove(key, 0, key.length);
  }

  // Expiry

  /** Deletes an expired slot if the server deletes any now. */
  public void expireUnlessKept(Object slot) {
    if (!engine.keepsDue()) expire(slot);
  }

  /** Deletes an expired slot and tells who wants to know. */
  public void expire(Object slot) {
    byte[] key = keyOf(slot);
    remove(key);
    engine.statistics().expiredKeys++;
    logExpired(key);
    touch(key, 0, key.length);
    engine.notify(KeyspaceEvent.EXPIRED, "expired", key, this);
  }

  /** Deletes a key to make room, and tells who wants to know. */
  void evict(byte[] key) {
    if (remove(key) == null) return;
    engine.statistics().evictedKeys++;
    logDeletion(key, engine.settings().lazyFreeing().ofEvicted);
    touch(key, 0, key.length);
    engine.notify(KeyspaceEvent.EVICTED, "evicted", key, this);
  }

  /** Has readers of the log delete a key whose time is over. */
  void logExpired(byte[] key) {
    logDeletion(key, engine.settings().lazyFreeing().ofExpired);
  }

  private void logDeletion(byte[] key, boolean isLazy) {
    if (engine.log().isRead()) engine.log().append(index, List.of(isLazy ? UNLINK : DEL, key));
  }

  /** Whether a key is there, or there and expires. */
  boolean has(byte[] key, boolean isExpiring) {
    return (isExpiring ? expires.find(key) : keys.find(key)) != null;
  }

  /**
   * Looks at some keys that expire, goes on where it stopped last time, and deletes the due ones;
   * returns the share of those that were due, 0 to 1.
   */
  double expireSome(int keysMin) {
    ExpiryTable.Found found = expires.look(keysMin, slot -> isDue(expiryOf(slot)));
    for (Object slot : found.due()) {
      expire(slot);
      engine.log().endUnit();
    }
    return found.share();
  }

  /** Does the same on a replica, with keys whose expiry is not its master's. */
  double expireSomeOwn(int keysMin) {
    ExpiryTable.Found found = ownExpires.look(keysMin, slot -> isOwnOver(keyOf(slot)));
    for (Object slot : found.due()) {
      byte[] key = keyOf(slot);
      Object current = expires.find(key);
      if (current != null) expire(current);
      ownExpires.remove(key);
      engine.log().endUnit();
    }
    return found.share();
  }

  /** Whether a key's expiry has come, or it has none any more. */
  private boolean isOwnOver(byte[] key) {
    Object current = expires.find(key);
    return current == null || isDue(expiryOf(current));
  }

  /** How many keys have an expiry that is not the master's. */
  public int ownExpiringSize() {
    return ownExpires.size();
  }

  void forgetOwnExpiring() {
    ownExpires.clear();
  }

  /**
   * Looks at some hashes of which fields expire, and at about so many fields of them together, and
   * removes the due ones; returns the share of those that were due, 0 to 1.
   */
  double expireSomeFields(int hashesMin, int fieldsMin) {
    List<Object> hashes = expiringHashes.look(hashesMin, slot -> true).due();
    int fieldsOfEach = Math.max(hashesMin, fieldsMin / Math.max(1, hashes.size()));
    long seen = 0;
    long expired = 0;
    for (Object slot : hashes) {
      RedisHash hash = (RedisHash) slot;
      seen += Math.min(hash.size(), fieldsOfEach);
      expired += expireFields(hash, fieldsOfEach);
      engine.log().endUnit();
    }
    return seen == 0 ? 0 : Math.min(1, (double) expired / seen);
  }

  private int expireFields(RedisHash hash, int fieldsMin) {
    beforeChange(hash);
    List<byte[]> expired = hash.expireSome(fieldsMin, engine.nowMillis());
    if (!expired.isEmpty()) fieldsExpired(hash, expired);
    return expired.size();
  }

  /** Fields of a hash were removed because they were due, and the hash if none is left. */
  public void fieldsExpired(RedisHash hash, List<byte[]> fields) {
    noteExpired(hash, fields);
    if (hash.size() > 0) return;
    Object unused = remove(hash.key());
    engine.notify(KeyspaceEvent.GENERIC, "del", hash.key(), this);
  }

  /** The same without the removal: tells who wants to know. */
  public void noteExpired(RedisHash hash, List<byte[]> fields) {
    byte[] key = hash.key();
    engine.statistics().expiredFields += fields.size();
    if (engine.log().isRead()) {
      List<byte[]> removal = new ArrayList<>(List.of(HDEL, key));
      removal.addAll(fields);
      engine.log().append(index, removal);
    }
    touch(key, 0, key.length);
    engine.notify(KeyspaceEvent.HASH, "hexpired", key, this);
    account(hash);
  }

  // Snapshots

  @Nullable Snapshot snapshot() {
    return snapshot;
  }

  void snapshot(@Nullable Snapshot begun) {
    snapshot = begun;
  }

  /** A slot of this database is about to be changed in place, or put into its table. */
  public void beforeChange(Object slot) {
    if (snapshot != null) snapshot.beforeChange(keys, slot);
  }

  // Whole keyspace

  public void clear() {
    for (ByteKey key : List.copyOf(watchers.keySet())) {
      if (keys.find(key.bytes()) != null) touch(key.bytes(), 0, key.bytes().length);
    }
    if (snapshot == null) keys.clear();
    else keys = new Dict(engine.hashSeed());
    expires.clear();
    expiringHashes.clear();
    ownExpires.clear();
    valueBytes = 0;
    sizes.clear();
    engine.markReady(this);
  }

  /** Exchanges the data for those of one that was made {@link #beside} it. */
  void takeOver(Database fresh) {
    swapWith(fresh);
    ownExpires.clear();
  }

  /** SWAPDB: exchanges the data; watchers and blocked clients stay with the number. */
  public void swapWith(Database other) {
    forgetStale(other);
    other.forgetStale(this);
    touchAllWatched(other);
    other.touchAllWatched(this);
    Dict otherKeys = other.keys;
    ExpiryTable otherExpires = other.expires;
    ExpiryTable otherHashes = other.expiringHashes;
    other.keys = keys;
    other.expires = expires;
    other.expiringHashes = expiringHashes;
    keys = otherKeys;
    expires = otherExpires;
    expiringHashes = otherHashes;
    long otherValueBytes = other.valueBytes;
    other.valueBytes = valueBytes;
    valueBytes = otherValueBytes;
    KeySizes otherSizes = other.sizes;
    other.sizes = sizes;
    sizes = otherSizes;
    engine.markReady(this);
    engine.markReady(other);
  }

  /** Deletes what has expired of the keys watched here, in both: it is no longer exchanged. */
  private void forgetStale(Database other) {
    for (ByteKey key : List.copyOf(watchers.keySet())) {
      Object unused = lookup(key.bytes());
      unused = other.lookup(key.bytes());
    }
  }

  private void touchAllWatched(Database successor) {
    for (ByteKey key : List.copyOf(watchers.keySet())) {
      byte[] bytes = key.bytes();
      if (keys.find(bytes) != null || successor.keys.find(bytes) != null) {
        touch(bytes, 0, bytes.length);
      }
    }
  }

  // Watchers

  void addWatcher(ByteKey key, Session session) {
    lookup(key.bytes());
    watchers.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(session);
  }

  /** Keys that somebody watches. */
  public int watchedCount() {
    return watchers.size();
  }

  void removeWatcher(ByteKey key, Session session) {
    Set<Session> sessions = watchers.get(key);
    if (sessions != null && sessions.remove(session) && sessions.isEmpty()) watchers.remove(key);
  }

  boolean isExpiredSinceWatched(ByteKey key, long nowMillis) {
    Object slot = keys.find(key.bytes());
    if (slot == null) return false;
    long expiry = expiryOf(slot);
    return expiry != Value.NEVER && expiry <= nowMillis;
  }

  /** A key was changed: transactions that watch it will abort. */
  public void touch(byte[] bytes, int offset, int length) {
    if (engine.tracking().isActive()) {
      engine
          .tracking()
          .changed(Arrays.copyOfRange(bytes, offset, offset + length), engine.current());
    }
    if (watchers.isEmpty()) return;
    Set<Session> sessions =
        watchers.get(new ByteKey(Arrays.copyOfRange(bytes, offset, offset + length)));
    if (sessions != null) for (Session session : sessions) session.touchWatch();
  }

  // Blocked clients

  Map<ByteKey, Set<BlockedClient>> blockedClients() {
    return blockedClients;
  }

  /** A key has something new for those who wait for it. */
  public void markReady(byte[] key) {
    engine.blockedClients().markReady(this, key);
  }

  public boolean hasWaiting() {
    return !blockedClients.isEmpty();
  }
}
