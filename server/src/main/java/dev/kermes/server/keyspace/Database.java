package dev.kermes.server.keyspace;

import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Dict;
import dev.kermes.server.data.ExpiredFields;
import dev.kermes.server.data.ExpiryTable;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Value;
import dev.kermes.server.stats.KeySizes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One numbered keyspace. A slot of its table is a string's {@link Record} or a {@link Value}; keys
 * that expire are also in a second table, which shares the slots.
 */
public final class Database {

  private static final byte[] DEL = {'D', 'E', 'L'};
  private static final byte[] UNLINK = {'U', 'N', 'L', 'I', 'N', 'K'};
  private static final byte[] HDEL = {'H', 'D', 'E', 'L'};

  private final Keyspace keyspace;
  private final int index;

  /**
   * The mask without an observer: one of 4,096 changes still looks for one. The just-in-time
   * compiler omits a branch that was never taken. When the first snapshot began, it therefore
   * recompiled all commands, and for 0.3 seconds a loaded server executed only a fifth of its
   * commands. A branch taken rarely remains a call, so that only the called code needs compiling.
   */
  private static final int OBSERVER_RARELY = 4095;

  /** Whether clients see this database; changes of one that is being loaded go unnoticed. */
  private final boolean isServed;

  private Dict keys;
  private ExpiryTable expires;

  /** Hashes with fields that expire. */
  private ExpiryTable expiringHashes;

  /**
   * Keys that clients of a replica gave an expiry unknown to its master. Only the keys of these
   * slots count; the database may hold other slots for them by now.
   */
  private final ExpiryTable ownExpires;

  /** Bytes of the contents of all values. */
  private long valueBytes;

  private KeySizes sizes = new KeySizes();

  /** A running snapshot, which sees keys before they are changed; null most of the time. */
  private @Nullable ChangeObserver observer;

  /**
   * Selects the changes that look for an observer: those whose number has none of these bits set.
   * While there is an observer, that is every change.
   */
  private int observerMask = OBSERVER_RARELY;

  private int changes;

  /** Whether clients are blocked on keys of this database. */
  private boolean isAwaited;

  Database(Keyspace keyspace, int index) {
    this(keyspace, index, true);
  }

  private Database(Keyspace keyspace, int index, boolean isServed) {
    this.keyspace = keyspace;
    this.index = index;
    this.isServed = isServed;
    keys = new Dict(keyspace.hashSeed());
    expires = new ExpiryTable(keyspace.hashSeed());
    expiringHashes = new ExpiryTable(keyspace.hashSeed());
    ownExpires = new ExpiryTable(keyspace.hashSeed());
  }

  /** Creates an empty database, to replace this one by {@link #takeOver} once it is loaded. */
  Database beside() {
    return new Database(keyspace, index, false);
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

  /** The number of hashes with fields that expire. */
  public int expiringHashesSize() {
    return expiringHashes.size();
  }

  /** Keys, expired ones included until they are noticed. */
  public Dict keys() {
    return keys;
  }

  /** Makes the tables of an empty database large enough for that many keys. */
  public void expect(int count, int expiring) {
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

  /** Whether a key has expired, as seen by the client whose command is running. */
  public boolean isDue(long expireAtMillis) {
    return expireAtMillis != Value.NEVER
        && expireAtMillis <= keyspace.nowMillis()
        && !keyspace.seesDue();
  }

  /**
   * Whether a key or field with this expiry need not be created, since it has passed. Imports,
   * replicas and replays of a log create all of them.
   */
  public boolean isPast(long expireAtMillis) {
    boolean keepsAll =
        keyspace.isReplaying()
            || keyspace.settings().keyspaceOptions().importMode.isOn()
            || keyspace.isReplica();
    return expireAtMillis <= keyspace.nowMillis() && !keepsAll;
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
    if (replaced == null && isServed && hasListeners()) {
      keyspace.listener().created(this, keyOf(slot));
    } else if (replaced != null && isAwaited) {
      markReady(keyOf(slot));
    }
    return replaced;
  }

  /** Whether a listener wants to know that a key is new. */
  private boolean hasListeners() {
    return isAwaited || keyspace.settings().keyspaceOptions().notifications.intValue() != 0;
  }

  /** Takes a key out, with its expiry; returns its slot or null. */
  public @Nullable Object remove(byte[] key, int offset, int length) {
    if ((++changes & observerMask) == 0) showBeforeRemoval(key, offset, length);
    Object removed = keys.remove(key, offset, length);
    if (removed == null) return null;
    leave(removed);
    if (expiryOf(removed) != Value.NEVER) expires.remove(key, offset, length);
    if (isAwaited) markReady(keyOf(removed));
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
    if (hash.hasExpiring()) expiringHashes.put(hash, 0);
    else expiringHashes.remove(hash.key());
  }

  /** The distribution of the values' sizes. */
  public KeySizes sizes() {
    return sizes;
  }

  /** The approximate bytes of keys and values on the heap. */
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
    return (isExpiring ? expires.slots() : keys).random(keyspace.random());
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
    expires.put(slot, expiryOf(slot));
    if (isServed && keyspace.ownsExpiries()) ownExpires.put(slot, expiryOf(slot));
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
    if (!keyspace.keepsDue()) expire(slot);
  }

  /** Deletes an expired slot, logs that and publishes the event. */
  public void expire(Object slot) {
    byte[] key = keyOf(slot);
    remove(key);
    keyspace.statistics().expiredKeys++;
    logExpired(key);
    touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.EXPIRED, "expired", key, this);
  }

  /** Deletes a key to make room, logs that and publishes the event. */
  void evict(byte[] key) {
    if (remove(key) == null) return;
    keyspace.statistics().evictedKeys++;
    logDeletion(key, keyspace.settings().memoryOptions().lazyEviction.isOn());
    touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.EVICTED, "evicted", key, this);
  }

  /** Logs the deletion of an expired key. */
  public void logExpired(byte[] key) {
    logDeletion(key, keyspace.settings().memoryOptions().lazyExpiry.isOn());
  }

  private void logDeletion(byte[] key, boolean isLazy) {
    if (keyspace.log().isRead()) keyspace.log().append(index, List.of(isLazy ? UNLINK : DEL, key));
  }

  /** Whether a key exists, or exists with an expiry. */
  boolean has(byte[] key, boolean isExpiring) {
    return (isExpiring ? expires.find(key) : keys.find(key)) != null;
  }

  /**
   * Deletes about {@code dueMax} expired keys at most, out of about {@code seenMax} keys with an
   * expiry that follow those seen last. Returns the share of expired keys among those seen, 0 to 1.
   */
  double expireSome(int seenMax, int dueMax) {
    if (keyspace.seesDue()) return 0;
    ExpiryTable.Found found = expires.due(seenMax, dueMax, keyspace.nowMillis());
    for (Object slot : found.due()) {
      expire(slot);
      keyspace.log().endUnit();
    }
    return found.share();
  }

  /** Does the same on a replica, with the next keys whose expiry is not its master's. */
  double expireSomeOwn(int keysMin) {
    List<Object> slots = ownExpires.next(keysMin);
    int over = 0;
    for (Object slot : slots) {
      byte[] key = keyOf(slot);
      if (!isOwnOver(key)) continue;
      Object current = expires.find(key);
      if (current != null) expire(current);
      ownExpires.remove(key);
      keyspace.log().endUnit();
      over++;
    }
    return slots.isEmpty() ? 0 : (double) over / slots.size();
  }

  /** Whether a key has expired or no longer has an expiry. */
  private boolean isOwnOver(byte[] key) {
    Object current = expires.find(key);
    return current == null || isDue(expiryOf(current));
  }

  /** How many keys have an expiry that is not the master's. */
  public int ownExpiringSize() {
    return ownExpires.size();
  }

  public void forgetOwnExpiring() {
    ownExpires.clear();
  }

  /**
   * Removes about {@code dueMax} expired fields at most, from the next {@code hashesMin} hashes
   * with fields that expire, out of about {@code seenMax} fields together. Returns the share of
   * expired fields among those seen, 0 to 1.
   */
  double expireSomeFields(int hashesMin, int seenMax, int dueMax) {
    List<Object> hashes = expiringHashes.next(hashesMin);
    int count = Math.max(1, hashes.size());
    long seen = 0;
    long expired = 0;
    for (Object slot : hashes) {
      RedisHash hash = (RedisHash) slot;
      beforeChange(hash);
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
    Object unused = remove(hash.key());
    keyspace.listener().notify(KeyspaceEvent.GENERIC, "del", hash.key(), this);
  }

  /** Does the same without removing the hash. */
  public void noteExpired(RedisHash hash, List<byte[]> fields) {
    byte[] key = hash.key();
    keyspace.statistics().expiredFields += fields.size();
    if (keyspace.log().isRead()) {
      List<byte[]> removal = new ArrayList<>(List.of(HDEL, key));
      removal.addAll(fields);
      keyspace.log().append(index, removal);
    }
    touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.HASH, "hexpired", key, this);
    account(hash);
  }

  // Snapshots

  /** Sets the snapshot that sees keys before they are changed; null for none. */
  public void observer(@Nullable ChangeObserver running) {
    observer = running;
    observerMask = running == null ? OBSERVER_RARELY : 0;
  }

  /** A slot of this database is about to be changed in place, or put into its table. */
  public void beforeChange(Object slot) {
    if ((++changes & observerMask) == 0) showBeforeChange(slot);
  }

  private void showBeforeChange(Object slot) {
    ChangeObserver running = observer;
    if (running != null) running.beforeChange(keys, slot);
  }

  private void showBeforeRemoval(byte[] key, int offset, int length) {
    ChangeObserver running = observer;
    if (running != null) running.beforeRemoval(keys, key, offset, length);
  }

  // Whole keyspace

  public void clear() {
    keyspace.listener().beforeClear(this);
    if (observer == null) keys.clear();
    else keys = new Dict(keyspace.hashSeed());
    expires.clear();
    expiringHashes.clear();
    ownExpires.clear();
    valueBytes = 0;
    sizes.clear();
    keyspace.listener().allReady(this);
  }

  /** Takes over the data of a database that was made by {@link #beside}. */
  void takeOver(Database fresh) {
    swapWith(fresh);
    ownExpires.clear();
  }

  /** SWAPDB: exchanges the data; watchers and blocked clients stay with the number. */
  public void swapWith(Database other) {
    keyspace.listener().beforeSwap(this, other);
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
    keyspace.listener().allReady(this);
    keyspace.listener().allReady(other);
  }

  // Clients

  /** Notes that a key was changed: transactions that watch it will abort. */
  public void touch(byte[] bytes, int offset, int length) {
    keyspace.listener().touched(this, bytes, offset, length);
  }

  /** Says whether clients are blocked on keys of this database. */
  public void awaited(boolean byClients) {
    isAwaited = byClients;
  }

  /** Whether clients are blocked on keys of this database. */
  public boolean hasWaiting() {
    return isAwaited;
  }

  /** Lets clients that are blocked on a key look at it again. */
  public void markReady(byte[] key) {
    keyspace.listener().ready(this, key);
  }
}
