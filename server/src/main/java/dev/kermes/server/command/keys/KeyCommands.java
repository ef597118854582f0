package dev.kermes.server.command.keys;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.DeferredArray;
import dev.kermes.server.command.ExpireCondition;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.command.Help;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.command.ScanOptions;
import dev.kermes.server.command.Strings;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.data.Dict;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.pattern.Glob;
import dev.kermes.server.keyspace.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys of any type: existence, expiry, names, copies, and walks over all of them. */
public final class KeyCommands {

  /** The number of elements above which Redis frees a value in another thread, and counts that. */
  private static final int LAZY_SIZE_MIN = 64;

  private KeyCommands() {}

  // Existence

  /** DEL key [key ...]: deletes keys; replies how many there were. O(N). */
  public static void del(Call call) {
    int deleted = 0;
    for (int i = 1; i < call.argc(); i++) {
      if (!call.delete(i)) continue;
      call.changed(i, KeyspaceEvent.GENERIC, "del");
      deleted++;
    }
    call.reply().integer(deleted);
  }

  /** UNLINK key [key ...]: the same as DEL; memory is always reclaimed in the background. O(N). */
  public static void unlink(Call call) {
    for (int i = 1; i < call.argc(); i++) {
      boolean isLarge =
          call.database().lookup(call.arg(i)) instanceof Value value
              && value.size() > LAZY_SIZE_MIN;
      if (isLarge) call.engine().statistics().lazyFreedObjects++;
    }
    del(call);
  }

  /** EXISTS key [key ...]: replies how many exist; a repeated key counts repeatedly. O(N). */
  public static void exists(Call call) {
    int existing = 0;
    for (int i = 1; i < call.argc(); i++) if (call.existing(i) != null) existing++;
    call.reply().integer(existing);
  }

  /** TOUCH key [key ...]: the same as EXISTS, and notes a use of the keys. O(N). */
  public static void touch(Call call) {
    int existing = 0;
    for (int i = 1; i < call.argc(); i++) {
      Object slot = call.existing(i);
      if (slot == null) continue;
      call.engine()
          .keyspace()
          .lruClock()
          .read(slot); // even for a client that has set CLIENT NO-TOUCH
      existing++;
    }
    call.reply().integer(existing);
  }

  /** TYPE key: replies the type's name, {@code none} if absent. O(1). */
  public static void type(Call call) {
    Object slot = call.database().lookup(call.slice(1));
    call.reply().simple(slot == null ? "none" : typeOf(slot));
  }

  public static String typeOf(Object slot) {
    return slot instanceof Value value ? value.type() : "string";
  }

  /**
   * RANDOMKEY: replies some key, nil for an empty database. An expired key is replied only if a
   * pause keeps it and no other key is found. O(1).
   */
  public static void randomkey(Call call) {
    Database database = call.database();
    byte[] key = null;
    for (int tries = 0; tries < 100; tries++) {
      Object slot = database.keys().random(call.random());
      if (slot == null) break;
      key = Database.keyOf(slot);
      if (database.lookup(key) == null) continue;
      call.reply().bulk(key);
      return;
    }
    if (key != null && call.engine().keyspace().keepsDue()) call.reply().bulk(key);
    else call.reply().nil();
  }

  // Expiry

  /** EXPIRE key seconds [NX|XX|GT|LT]: replies 1 if the expiry was set. O(1). */
  public static void expire(Call call) {
    expire(call, Expiry.EX);
  }

  /** PEXPIRE key milliseconds [NX|XX|GT|LT]: replies 1 if the expiry was set. O(1). */
  public static void pexpire(Call call) {
    expire(call, Expiry.PX);
  }

  /** EXPIREAT key unix-seconds [NX|XX|GT|LT]: replies 1 if the expiry was set. O(1). */
  public static void expireat(Call call) {
    expire(call, Expiry.EXAT);
  }

  /** PEXPIREAT key unix-milliseconds [NX|XX|GT|LT]: replies 1 if the expiry was set. O(1). */
  public static void pexpireat(Call call) {
    expire(call, Expiry.PXAT);
  }

  private static void expire(Call call, Expiry unit) {
    ExpireCondition condition = ExpireCondition.parse(call);
    if (condition == null) return;
    long expireAt = unit.anyMillis(call, 2);
    if (call.failed()) return;
    Object slot = call.writeSlot(1);
    if (slot == null || !condition.allows(Database.expiryOf(slot), expireAt)) {
      call.reply().integer(0);
      return;
    }
    setExpiry(call, 1, slot, expireAt);
    call.reply().integer(1);
  }

  /** Sets a key's expiry; an expiry in the past deletes the key. Notes the change. */
  public static void setExpiry(Call call, int keyArg, Object slot, long expireAtMillis) {
    if (call.database().isPast(expireAtMillis)) {
      call.delete(keyArg);
      PropagatedCommands.deleted(
          call, keyArg, call.engine().settings().memoryOptions().lazyExpiry.isOn());
      call.changed(keyArg, KeyspaceEvent.GENERIC, "del");
    } else {
      call.database().setExpiry(slot, Math.max(0, expireAtMillis));
      PropagatedCommands.expires(call, keyArg, Math.max(0, expireAtMillis));
      call.changed(keyArg, KeyspaceEvent.GENERIC, "expire");
    }
  }

  /** PERSIST key: removes the expiry; replies 1 if there was one. O(1). */
  public static void persist(Call call) {
    Object slot = call.writeSlot(1);
    call.reply().integer(slot != null && persistSlot(call, 1, slot) ? 1 : 0);
  }

  public static boolean persistSlot(Call call, int keyArg, Object slot) {
    if (Database.expiryOf(slot) == Value.NEVER) return false;
    call.database().setExpiry(slot, Value.NEVER);
    call.changed(keyArg, KeyspaceEvent.GENERIC, "persist");
    return true;
  }

  /** TTL key: replies the seconds to live, -1 without expiry, -2 if absent. O(1). */
  public static void ttl(Call call) {
    replyExpiry(call, true, 1000);
  }

  /** PTTL key: replies the milliseconds to live, -1 without expiry, -2 if absent. O(1). */
  public static void pttl(Call call) {
    replyExpiry(call, true, 1);
  }

  /** EXPIRETIME key: replies the Unix time of expiry in seconds, -1 without, -2 if absent. O(1). */
  public static void expiretime(Call call) {
    replyExpiry(call, false, 1000);
  }

  /** PEXPIRETIME key: the same in milliseconds. O(1). */
  public static void pexpiretime(Call call) {
    replyExpiry(call, false, 1);
  }

  private static void replyExpiry(Call call, boolean isRelative, int unitMillis) {
    Object slot = call.database().lookup(call.slice(1));
    long expireAt = Database.expiryOf(slot);
    if (expireAt == Value.NEVER) {
      call.reply().integer(slot == null ? -2 : -1);
      return;
    }
    long millis = isRelative ? Math.max(0, expireAt - call.nowMillis()) : expireAt;
    call.reply().integer(unitMillis == 1 ? millis : rounded(millis, unitMillis));
  }

  /** Rounds to the nearest unit; the sum of millis and half a unit might exceed a long. */
  private static long rounded(long millis, int unitMillis) {
    return millis / unitMillis + (millis % unitMillis * 2 >= unitMillis ? 1 : 0);
  }

  // Names and places

  /** RENAME key newkey: moves a value to another key, replacing the value there. O(1). */
  public static void rename(Call call) {
    if (move(call, true)) call.reply().ok();
  }

  /** RENAMENX key newkey: the same unless newkey exists; replies 1 or 0. O(1). */
  public static void renamenx(Call call) {
    boolean isRenamed = move(call, false);
    if (!call.failed()) call.reply().integer(isRenamed ? 1 : 0);
  }

  private static boolean move(Call call, boolean replaces) {
    Object slot = call.writeSlot(1);
    if (slot == null) {
      call.error("ERR no such key");
      return false;
    }
    byte[] newKey = call.arg(2);
    if (Arrays.equals(call.arg(1), newKey)) return replaces;
    Database database = call.database();
    if (database.lookup(newKey) != null && !replaces) return false;
    Object renamed = slot instanceof Record record ? record.withKey(newKey) : slot;
    call.delete(1);
    boolean unused = database.remove(Slice.of(newKey));
    if (renamed instanceof Value value) value.key(newKey);
    database.put(renamed);
    call.changed(1, KeyspaceEvent.GENERIC, "rename_from");
    call.changed(2, KeyspaceEvent.GENERIC, "rename_to");
    return true;
  }

  /** MOVE key db: moves a key to another database unless it exists there; replies 1 or 0. O(1). */
  public static void move(Call call) {
    if (call.engine().cluster() != null) {
      call.error("ERR MOVE is not allowed in cluster mode");
      return;
    }
    Database target = database(call, 2);
    if (target == null) return;
    if (target == call.database()) {
      call.error("ERR source and destination objects are the same");
      return;
    }
    Object slot = call.writeSlot(1);
    if (slot == null || target.lookup(call.arg(1)) != null) {
      call.reply().integer(0);
      return;
    }
    byte[] key = call.arg(1);
    Object moved = slot instanceof Record record ? record.detached() : slot;
    call.delete(1);
    target.put(moved);
    target.touch(key, 0, key.length);
    call.changed(1, KeyspaceEvent.GENERIC, "move_from");
    call.engine().notifications().notify(KeyspaceEvent.GENERIC, "move_to", key, target);
    call.reply().integer(1);
  }

  /** COPY source destination [DB db] [REPLACE]: copies a value; replies 1, or 0. O(N). */
  public static void copy(Call call) {
    Database target = call.database();
    boolean replaces = false;
    for (int i = 3; i < call.argc(); i++) {
      if (call.is(i, "REPLACE")) {
        replaces = true;
      } else if (call.is(i, "DB") && i + 1 < call.argc()) {
        Database chosen = database(call, ++i);
        if (chosen == null) return;
        if (chosen.index() != 0 && call.engine().cluster() != null) {
          call.error("ERR DB index is out of range"); // a node has one database, as of Redis 8.0
          return;
        }
        target = chosen;
      } else {
        call.syntaxError();
        return;
      }
    }
    byte[] key = call.arg(2);
    if (target == call.database() && Arrays.equals(call.arg(1), key)) {
      call.error("ERR source and destination objects are the same");
      return;
    }
    Object slot = call.readSlot(1);
    if (slot == null || target.lookup(key) != null && !replaces) {
      call.reply().integer(0);
      return;
    }
    Object copy = copyOf(slot, key);
    boolean unused = target.remove(Slice.of(key));
    call.engine().keyspace().lruClock().written(copy);
    target.put(copy);
    target.touch(key, 0, key.length);
    call.engine().keyspace().addDirty(1);
    call.engine().notifications().notify(KeyspaceEvent.GENERIC, "copy_to", key, target);
    call.reply().integer(1);
  }

  private static Object copyOf(Object slot, byte[] key) {
    if (slot instanceof Record record && record.valueLength() < RespWriter.SHARED_LENGTH_MIN) {
      return record.withKey(key);
    }
    Value copy =
        slot instanceof Record large
            ? RawString.after(large.array(), large.valueOffset(), large.valueLength())
            : ((Value) slot).copy();
    copy.key(key);
    copy.expireAtMillis(Database.expiryOf(slot));
    return copy;
  }

  /** The database whose number is an argument; null after replying an error. */
  public static @Nullable Database database(Call call, int i) {
    long index = call.integer(i);
    if (!call.failed() && index != (int) index) {
      call.error("ERR value is out of range, value must between -2147483648 and 2147483647");
    }
    if (call.failed()) return null;
    if (index >= 0 && index < call.engine().keyspace().databases().size()) {
      return call.engine().keyspace().database((int) index);
    }
    call.error("ERR DB index is out of range");
    return null;
  }

  // Walks

  /**
   * KEYS pattern: replies all matching keys. O(N), with the keyspace lock held: for small
   * keyspaces.
   */
  public static void keys(Call call) {
    Glob glob = new Glob(call.arg(1));
    List<byte[]> matching = new ArrayList<>();
    call.database()
        .keys()
        .forEach(slot -> {
          boolean isLive = !call.database().isDue(Database.expiryOf(slot));
          if (isLive && matches(glob, slot)) matching.add(Database.keyOf(slot));
        });
    call.reply().array(matching.size());
    for (byte[] key : matching) call.reply().bulk(key);
  }

  private static boolean matches(Glob glob, Object slot) {
    if (glob.matchesAll()) return true;
    if (slot instanceof Value value) return glob.matches(value.key());
    Record record = (Record) slot;
    return glob.matches(record.array(), record.keyOffset(), record.keyLength());
  }

  /** SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]: some keys and where to continue. */
  public static void scan(Call call) {
    long cursor = ScanOptions.cursor(call, 1);
    if (call.failed()) return;
    ScanOptions options = ScanOptions.parse(call, 2, true, null);
    if (options == null) return;
    DeferredArray keys = new DeferredArray(call.reply());
    List<byte[]> due = new ArrayList<>();
    Dict table = call.database().keys();
    long visited = 0;
    int groups = 0;
    do {
      visited += table.countAt(cursor);
      cursor =
          table.scan(
              cursor,
              slot -> matches(options, slot),
              slot -> addFound(call, options, slot, keys, due));
      groups++;
    } while (cursor != 0 && visited < options.count() && groups < 10 * options.count());
    for (byte[] key : due) call.database().expiry().expireUnlessKept(key);
    RespWriter reply = call.reply();
    reply.array(2);
    reply.bulk(Long.toUnsignedString(cursor));
    keys.finishArray();
  }

  /** As in Redis, expired keys of every type are deleted; Valkey filters by type first. */
  private static void addFound(
      Call call, ScanOptions options, Object slot, DeferredArray keys, List<byte[]> due) {
    if (call.database().isDue(Database.expiryOf(slot))) due.add(Database.keyOf(slot));
    else if (isOfType(options.type(), slot)) writeKey(slot, keys.next());
  }

  private static void writeKey(Object slot, RespWriter out) {
    if (slot instanceof Record record) {
      out.bulk(record.array(), record.keyOffset(), record.keyLength());
    } else {
      out.bulk(((Value) slot).key());
    }
  }

  /** Ignores the case, as types of modules have capitals; equal names are compared much faster. */
  private static boolean isOfType(@Nullable String type, Object slot) {
    if (type == null) return true;
    String own = typeOf(slot);
    return type.equals(own) || type.equalsIgnoreCase(own);
  }

  private static boolean matches(ScanOptions options, Object slot) {
    if (slot instanceof Value value) return options.matches(value.key(), 0, value.key().length);
    Record record = (Record) slot;
    return options.matches(record.array(), record.keyOffset(), record.keyLength());
  }

  // Sorting

  /** SORT key [BY] [LIMIT] [GET] [ASC|DESC] [ALPHA] [STORE]: sorts elements. O(N+M*log(M)). */
  public static void sort(Call call) {
    Sort.execute(call, true);
  }

  /** SORT_RO: SORT without STORE. */
  public static void sortRo(Call call) {
    Sort.execute(call, false);
  }

  // OBJECT

  /** OBJECT ENCODING key: replies how the value is stored; an error if absent. O(1). */
  public static void objectEncoding(Call call) {
    Object slot = objectSlot(call);
    if (slot == null) return;
    call.reply().bulk(slot instanceof Value value ? value.encoding() : Strings.encoding(slot));
  }

  /** OBJECT REFCOUNT key: replies the reference count that the value would have in Redis. O(1). */
  public static void objectRefcount(Call call) {
    Object slot = objectSlot(call);
    if (slot != null) call.reply().integer(referenceCount(call, slot));
  }

  /** Redis shares a small integer among all keys, unless the policy needs the age of each key. */
  public static int referenceCount(Call call, Object slot) {
    MemoryOptions limits = call.engine().settings().memoryOptions();
    boolean isShared = limits.max.value() == 0 || !limits.policy.value().isByUse();
    return isShared && Strings.isSmallInteger(slot) ? Integer.MAX_VALUE : 1;
  }

  /** OBJECT IDLETIME key: replies the seconds since the key was last used. O(1). */
  public static void objectIdletime(Call call) {
    Object slot = objectSlot(call);
    if (slot == null) return;
    if (call.engine().settings().memoryOptions().policy.value().isLfu()) {
      call.error(
          "ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when"
              + " switching between policies at runtime LRU and LFU data will take some time to"
              + " adjust.");
      return;
    }
    call.reply().integer(call.engine().keyspace().lruClock().idleSeconds(slot));
  }

  /** OBJECT FREQ key: replies the frequency of use, 0 to 255; only under an LFU policy. O(1). */
  public static void objectFreq(Call call) {
    Object slot = objectSlot(call);
    if (slot == null) return;
    if (!call.engine().settings().memoryOptions().policy.value().isLfu()) {
      call.error(
          "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note"
              + " that when switching between policies at runtime LRU and LFU data will take some"
              + " time to adjust.");
      return;
    }
    call.reply().integer(call.engine().keyspace().lruClock().frequency(slot));
  }

  /** OBJECT HELP: the subcommands. */
  public static void objectHelp(Call call) {
    Help.reply(call);
  }

  private static @Nullable Object objectSlot(Call call) {
    Object slot = call.database().lookup(call.slice(2));
    if (slot == null) call.reply().nil();
    return slot;
  }
}
