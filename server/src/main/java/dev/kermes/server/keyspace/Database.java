package dev.kermes.server.keyspace;

import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.Dict;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.stats.KeySizes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One numbered keyspace. A slot of its table is a string's {@link Record} or a {@link Value}; keys
 * that expire are also in a table of {@link DatabaseExpiry}, which shares the slots. A record that
 * is looked up is a view: it is valid until the next change of the table, or until some more
 * lookups. Guarded by the keyspace lock.
 */
public final class Database {

  private static final byte[] DEL = {'D', 'E', 'L'};
  private static final byte[] UNLINK = {'U', 'N', 'L', 'I', 'N', 'K'};

  private final Keyspace keyspace;
  private final int index;

  /** Whether clients see this database; changes of one that is being loaded go unnoticed. */
  private final boolean isServed;

  private Dict keys;
  private final DatabaseExpiry expiry;

  /** Bytes of the contents of all values. */
  private long valueBytes;

  private KeySizes sizes = new KeySizes();

  private final Observation observation = new Observation();

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
    expiry = new DatabaseExpiry(this, keyspace, keys);
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

  /** The keys that expire, and the hashes whose fields expire. */
  public DatabaseExpiry expiry() {
    return expiry;
  }

  /** Keys, expired ones included until they are noticed. */
  public Dict keys() {
    return keys;
  }

  /** Makes the tables of an empty database large enough for that many keys. */
  public void expect(int count, int expiring) {
    keys.expect(count);
    expiry.expect(expiring);
  }

  // Slots

  /** The slot of a live key, or null; an expired key is deleted on the way. */
  public @Nullable Object lookup(Slice key) {
    return lookup(key.array(), key.offset(), key.length());
  }

  public @Nullable Object lookup(byte[] key) {
    return lookup(key, 0, key.length);
  }

  public @Nullable Object lookup(byte[] key, int offset, int length) {
    Object slot = keys.find(key, offset, length);
    return slot == null ? null : live(slot);
  }

  /** The slot, or null after deleting it if it has expired. */
  private @Nullable Object live(Object slot) {
    if (slot instanceof Record record) {
      if (!record.hasExpiry() || !isDue(record.expireAtMillis())) return slot;
    } else if (!isDue(((Value) slot).expireAtMillis())) {
      return slot;
    }
    expiry.expireUnlessKept(keyOf(slot));
    return null;
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

  /** Stores a slot under its own key, with its own expiry. */
  public void put(Object slot) {
    beforeChange(slot);
    boolean isRecord = slot instanceof Record;
    byte[] key = isRecord ? ((Record) slot).array() : ((Value) slot).key();
    int offset = isRecord ? ((Record) slot).keyOffset() : 0;
    int length = isRecord ? ((Record) slot).keyLength() : key.length;
    long hash = keys.hash(key, offset, length);
    Object present = keys.find(hash, key, offset, length);
    if (present != null) {
      keys.reserve(hash, slot);
      leave(present, key, offset, length);
    }
    stored(keys.put(hash, slot), present == null);
  }

  /** Stores a string. */
  public void put(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long expireAtMillis,
      int access) {
    observation.beforeRemoval(keys, key, keyOffset, keyLength);
    long hash = keys.hash(key, keyOffset, keyLength);
    Object present = keys.find(hash, key, keyOffset, keyLength);
    boolean stays =
        present instanceof Record record
            && expireAtMillis == Value.NEVER
            && overwrite(record, value, valueOffset, valueLength, access);
    if (stays) return;
    int bytes = Dict.bytesInArena(keyLength, valueLength, expireAtMillis);
    if (bytes == 0) {
      Record large =
          Record.of(key, keyOffset, keyLength, value, valueOffset, valueLength, expireAtMillis);
      large.access(access);
      put(large);
      return;
    }
    if (present != null) {
      keys.reserve(hash, bytes);
      leave(present, key, keyOffset, keyLength);
    }
    Record stored =
        keys.put(
            hash,
            key,
            keyOffset,
            keyLength,
            value,
            valueOffset,
            valueLength,
            expireAtMillis,
            access);
    stored(stored, present == null);
  }

  /** Replaces a string in its own memory, as most SETs do; false if that is not possible. */
  private boolean overwrite(Record record, byte[] value, int offset, int length, int access) {
    if (record.hasExpiry()) return false;
    int before = record.valueLength();
    if (!record.overwrite(value, offset, length, access)) return false;
    sizes.removeString(before);
    sizes.addString(length);
    if (isAwaited) markReady(record.key());
    return true;
  }

  /** Notes that the present slot of a key is about to go. */
  private void leave(Object present, byte[] key, int offset, int length) {
    if (expiryOf(present) != Value.NEVER) expiry.remove(key, offset, length);
    leave(present);
  }

  private void stored(Object slot, boolean isNew) {
    enter(slot);
    if (expiryOf(slot) != Value.NEVER) addExpiry(slot);
    if (!isNew) {
      if (isAwaited) markReady(keyOf(slot));
      return;
    }
    boolean notifies = keyspace.settings().keyspaceOptions().notifications.intValue() != 0;
    if (isServed && (isAwaited || notifies)) keyspace.listener().created(this, keyOf(slot));
  }

  /** Takes a key out, with its expiry; returns whether it was there. */
  public boolean remove(Slice key) {
    observation.beforeRemoval(keys, key.array(), key.offset(), key.length());
    return takeOut(key.array(), key.offset(), key.length());
  }

  /** Takes a key out because it has expired. */
  void removeExpired(byte[] key) {
    observation.beforeExpiry(keys, key);
    boolean unused = takeOut(key, 0, key.length);
  }

  private boolean takeOut(byte[] key, int offset, int length) {
    long hash = keys.hash(key, offset, length);
    Object present = keys.find(hash, key, offset, length);
    if (present == null) return false;
    leave(present, key, offset, length);
    if (isAwaited) markReady(Arrays.copyOfRange(key, offset, offset + length));
    return keys.remove(hash, key, offset, length);
  }

  private void enter(Object slot) {
    if (slot instanceof Record record) {
      sizes.addString(record.valueLength());
    } else {
      Value value = (Value) slot;
      value.isInKeyspace(true);
      account(value);
    }
  }

  private void leave(Object slot) {
    if (slot instanceof Record record) {
      sizes.removeString(record.valueLength());
      return;
    }
    Value value = (Value) slot;
    sizes.remove(value);
    valueBytes -= value.accountedBytes();
    value.isInKeyspace(false);
    if (value instanceof RedisHash hash && hash.allowsExpiry()) expiry.remove(hash);
  }

  /** Brings the account up to date after a value may have changed. */
  public void account(Value value) {
    valueBytes += value.account();
    if (value.isInKeyspace()) sizes.update(value);
    if (value instanceof RedisHash hash && hash.allowsExpiry()) expiry.note(hash);
  }

  /** The distribution of the values' sizes. */
  public KeySizes sizes() {
    return sizes;
  }

  /**
   * The approximate bytes of keys and values on the heap, without those between records. With
   * maxmemory each command adds those of all databases, most of which are empty.
   */
  public long dataBytes() {
    if (keys.size() == 0) return 0;
    return keys.heapBytes() - keys.unusedBytes() + expiry.tableBytes() + valueBytes;
  }

  /** A key drawn at random, of all or of those that expire; null if there is none. */
  @Nullable Object random(boolean isExpiring) {
    return (isExpiring ? expiry.slots() : keys).random(keyspace.random());
  }

  /** Gives a slot of this database another expiry time, {@link Value#NEVER} for none. */
  public void setExpiry(Object slot, long unixMillis) {
    beforeChange(slot);
    if (slot instanceof Record record) {
      setExpiry(record, unixMillis);
      return;
    }
    Value value = (Value) slot;
    boolean hadExpiry = value.expireAtMillis() != Value.NEVER;
    value.expireAtMillis(unixMillis);
    if (unixMillis != Value.NEVER) addExpiry(value);
    else if (hadExpiry) expiry.remove(value.key(), 0, value.key().length);
  }

  private void setExpiry(Record record, long unixMillis) {
    if (!record.hasExpiry() || unixMillis == Value.NEVER) {
      put(record.withExpiry(unixMillis));
      return;
    }
    record.expireAtMillis(unixMillis);
    addExpiry(record);
    if (isAwaited) markReady(record.key());
  }

  private void addExpiry(Object slot) {
    expiry.add(slot, isServed && keyspace.ownsExpiries());
  }

  /** When a key expires, in Unix milliseconds; an absent one {@link Value#NEVER}. */
  public static long expiryOf(@Nullable Object slot) {
    if (slot instanceof Record record) return record.expireAtMillis();
    return slot == null ? Value.NEVER : ((Value) slot).expireAtMillis();
  }

  public static byte[] keyOf(Object slot) {
    return Dict.keyOf(slot);
  }

  /** Deletes a key to make room, logs that and publishes the event. */
  void evict(byte[] key) {
    if (!remove(Slice.of(key))) return;
    keyspace.statistics().evictedKeys++;
    logDeletion(key, keyspace.settings().memoryOptions().lazyEviction.isOn());
    touch(key, 0, key.length);
    keyspace.listener().notify(KeyspaceEvent.EVICTED, "evicted", key, this);
  }

  void logDeletion(byte[] key, boolean isLazy) {
    if (keyspace.log().isRead()) keyspace.log().append(index, List.of(isLazy ? UNLINK : DEL, key));
  }

  /** Whether a key exists, or exists with an expiry. */
  boolean has(byte[] key, boolean isExpiring) {
    return (isExpiring ? expiry.find(key) : keys.find(key)) != null;
  }

  // Snapshots

  /** Sets the snapshot that sees keys before they are changed; null for none. */
  public void observer(@Nullable ChangeObserver running) {
    observation.observer(running);
  }

  /** A slot of this database is about to be changed in place, or put into its table. */
  public void beforeChange(Object slot) {
    observation.beforeChange(keys, slot);
  }

  // Whole keyspace

  public void clear() {
    keyspace.listener().beforeClear(this);
    if (!observation.isOn()) keys.clear();
    else keys = new Dict(keyspace.hashSeed());
    expiry.clear(keys);
    valueBytes = 0;
    sizes.clear();
    keyspace.listener().allReady(this);
  }

  /** Takes over the data of a database that was made by {@link #beside}. */
  void takeOver(Database fresh) {
    swapWith(fresh);
    expiry.forgetOwn();
  }

  /** SWAPDB: exchanges the data; watchers and blocked clients stay with the number. */
  public void swapWith(Database other) {
    keyspace.listener().beforeSwap(this, other);
    Dict otherKeys = other.keys;
    other.keys = keys;
    keys = otherKeys;
    expiry.swapWith(other.expiry);
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
