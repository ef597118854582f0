package dev.kermes.server.command.hash;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.ExpireCondition;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The commands for expiring fields of hashes. The first constants are replies per field. */
public final class HashExpiryCommands {

  private static final int NO_FIELD = -2;
  private static final int NO_EXPIRY = -1;
  private static final int CONDITION_FAILED = 0;
  private static final int DONE = 1;
  private static final int DELETED = 2;

  private static final String BAD_COUNT = "ERR Number of fields must be a positive integer";

  private HashExpiryCommands() {}

  // Expiry times

  /**
   * HEXPIRE key seconds [NX|XX|GT|LT] FIELDS numfields field [field ...]: sets the fields' expiry;
   * replies per field 1, 0 if the condition fails, 2 if it was deleted at once, -2 if it does not
   * exist. O(fields). WRONGTYPE if not a hash.
   */
  public static void hexpire(Call call) {
    expire(call, Expiry.EX);
  }

  /** HPEXPIRE: HEXPIRE in milliseconds. */
  public static void hpexpire(Call call) {
    expire(call, Expiry.PX);
  }

  /** HEXPIREAT: HEXPIRE at a Unix time in seconds. */
  public static void hexpireat(Call call) {
    expire(call, Expiry.EXAT);
  }

  /** HPEXPIREAT: HEXPIRE at a Unix time in milliseconds. */
  public static void hpexpireat(Call call) {
    expire(call, Expiry.PXAT);
  }

  private static void expire(Call call, Expiry unit) {
    RedisHash hash = call.write(1, RedisHash.class);
    if (call.failed()) return;
    long expireAtMillis = unit.fieldMillis(call, 2);
    if (call.failed()) return;
    ExpireCondition given = ExpireCondition.of(call, 3);
    ExpireCondition condition = given == null ? ExpireCondition.NONE : given;
    int first =
        fields(call, given == null ? 3 : 4, "ERR Parameter `numFields` should be greater than 0");
    if (call.failed()) return;
    call.reply().array(call.argc() - first);
    if (hash != null) hash.allowExpiry();
    List<byte[]> updated = new ArrayList<>();
    List<byte[]> deleted = new ArrayList<>();
    for (int i = first; i < call.argc(); i++) {
      int result = hash == null ? NO_FIELD : expire(call, hash, i, expireAtMillis, condition);
      if (result == DONE) updated.add(call.arg(i));
      if (result == DELETED) deleted.add(call.arg(i));
      call.reply().integer(result);
    }
    if (hash == null || updated.isEmpty() && deleted.isEmpty()) return;
    logExpiry(call, expireAtMillis, updated);
    PropagatedCommands.fields(call, "HDEL", deleted);
    String event = deleted.isEmpty() ? "hexpire" : "hdel";
    noteChanges(call, hash, event, updated.size() + deleted.size());
  }

  /** Logs HPEXPIREAT: the fields' expiry as a Unix time in milliseconds. */
  static void logExpiry(Call call, long expireAtMillis, List<byte[]> fields) {
    if (!call.log().isRead()) return;
    byte[] time = PropagatedCommands.ascii(expireAtMillis);
    PropagatedCommands.fieldsCounted(
        call, List.of(PropagatedCommands.ascii("HPEXPIREAT"), call.arg(1), time), fields);
  }

  private static void logPersistence(Call call, List<byte[]> fields) {
    if (!call.log().isRead()) return;
    PropagatedCommands.fieldsCounted(
        call, List.of(PropagatedCommands.ascii("HPERSIST"), call.arg(1)), fields);
  }

  /** Sets a field's expiry if the condition allows it; an expiry in the past deletes the field. */
  private static int expire(
      Call call, RedisHash hash, int fieldArg, long expireAtMillis, ExpireCondition condition) {
    Slice field = call.slice(fieldArg);
    if (!hash.contains(field, call.fieldTime())) return NO_FIELD;
    long current = hash.fieldExpireAtMillis(field);
    if (!condition.allows(current, expireAtMillis)) return CONDITION_FAILED;
    if (call.database().isPast(expireAtMillis)) {
      boolean unused = hash.remove(field);
      call.engine().statistics().expiredFields++;
      return DELETED;
    }
    hash.fieldExpireAtMillis(field, expireAtMillis);
    return DONE;
  }

  private static void noteChanges(Call call, RedisHash hash, String event, int changes) {
    call.changed(1, KeyspaceEvent.HASH, event, changes);
    call.removeIfEmpty(1, hash);
  }

  /**
   * HPERSIST key FIELDS numfields field [field ...]: removes the fields' expiry; replies per field
   * 1, -1 without expiry, -2 without field. O(fields). WRONGTYPE if not a hash.
   */
  public static void hpersist(Call call) {
    RedisHash hash = call.write(1, RedisHash.class);
    if (call.failed()) return;
    int first = fields(call, 2, BAD_COUNT);
    if (call.failed()) return;
    call.reply().array(call.argc() - first);
    List<byte[]> persisted = new ArrayList<>();
    for (int i = first; i < call.argc(); i++) {
      int result = hash == null ? NO_FIELD : persist(call, hash, i);
      if (result == DONE) persisted.add(call.arg(i));
      call.reply().integer(result);
    }
    if (persisted.isEmpty()) return;
    logPersistence(call, persisted);
    call.changed(1, KeyspaceEvent.HASH, "hpersist", persisted.size());
  }

  private static int persist(Call call, RedisHash hash, int field) {
    long current = expiry(call, hash, field);
    if (current < 0) return (int) current;
    hash.fieldExpireAtMillis(call.slice(field), Value.NEVER);
    return DONE;
  }

  /** A field's expiry in Unix milliseconds, {@link #NO_EXPIRY}, or {@link #NO_FIELD}. */
  private static long expiry(Call call, @Nullable RedisHash hash, int fieldArg) {
    if (hash == null) return NO_FIELD;
    Slice field = call.slice(fieldArg);
    if (!hash.contains(field, call.fieldTime())) return NO_FIELD;
    long millis = hash.fieldExpireAtMillis(field);
    return millis == Value.NEVER ? NO_EXPIRY : millis;
  }

  /**
   * HTTL key FIELDS numfields field [field ...]: replies per field the seconds until its expiry, -1
   * without expiry, -2 without field. O(fields). WRONGTYPE if not a hash.
   */
  public static void httl(Call call) {
    long now = call.nowMillis();
    replyExpiry(call, millis -> seconds(millis - now));
  }

  /** HPTTL: HTTL in milliseconds. */
  public static void hpttl(Call call) {
    long now = call.nowMillis();
    replyExpiry(call, millis -> millis - now);
  }

  /** HEXPIRETIME: HTTL as a Unix time in seconds. */
  public static void hexpiretime(Call call) {
    replyExpiry(call, HashExpiryCommands::seconds);
  }

  /** HPEXPIRETIME: HTTL as a Unix time in milliseconds. */
  public static void hpexpiretime(Call call) {
    replyExpiry(call, LongUnaryOperator.identity());
  }

  private static long seconds(long millis) {
    return (millis + 999) / 1000;
  }

  private static void replyExpiry(Call call, LongUnaryOperator unit) {
    RedisHash hash = call.read(1, RedisHash.class);
    if (call.failed()) return;
    int first = fields(call, 2, BAD_COUNT);
    if (call.failed()) return;
    call.reply().array(call.argc() - first);
    for (int i = first; i < call.argc(); i++) {
      long millis = expiry(call, hash, i);
      call.reply().integer(millis < 0 ? millis : unit.applyAsLong(millis));
    }
  }

  /**
   * The first field after {@code FIELDS numfields}, which must begin at the given argument and
   * extend to the last; replies an error otherwise.
   */
  private static int fields(Call call, int at, String badCount) {
    if (!call.is(at, "FIELDS")) {
      call.error("ERR Mandatory argument FIELDS is missing or not at the right position");
      return 0;
    }
    long count = Arguments.integerOrError(call, at + 1, 1, Long.MAX_VALUE, badCount);
    if (!call.failed() && count != call.argc() - at - 2) {
      call.error("ERR The `numfields` parameter must match the number of arguments");
    }
    return at + 2;
  }

  // Values together with their expiry

  /**
   * HGETEX key [EX seconds|PX milliseconds|EXAT time|PXAT time|PERSIST] FIELDS numfields field
   * [field ...]: replies values as HMGET does, and sets or removes the fields' expiry. O(fields).
   * WRONGTYPE if not a hash.
   */
  public static void hgetex(Call call) {
    RedisHash found = call.write(1, RedisHash.class);
    if (call.failed()) return;
    Expiry unit = Expiry.at(call, 2);
    boolean isPersist = call.is(2, "PERSIST");
    long expireAtMillis = unit == null ? Value.NEVER : unit.fieldMillis(call, 3);
    if (call.failed()) return;
    int fieldsArg = unit != null ? 4 : isPersist ? 3 : 2;
    if (fieldsArg + 1 >= call.argc()) {
      Arguments.wrongArity(call, "hgetex");
      return;
    }
    int first = fields(call, fieldsArg, BAD_COUNT);
    if (call.failed()) return;
    RedisHash hash = HashCommands.withoutDue(call, found, first, call.argc() - 1);
    boolean isRead = unit == null && !isPersist;
    if (hash != null && !isRead) hash.allowExpiry();
    List<byte[]> updated = new ArrayList<>();
    List<byte[]> deleted = new ArrayList<>();
    call.reply().array(call.argc() - first);
    for (int i = first; i < call.argc(); i++) {
      HashCommands.write(call, hash, i);
      if (hash == null || isRead) continue;
      int result =
          isPersist
              ? persist(call, hash, i)
              : expire(call, hash, i, expireAtMillis, ExpireCondition.NONE);
      if (result == DONE) updated.add(call.arg(i));
      if (result == DELETED) deleted.add(call.arg(i));
    }
    if (hash == null || updated.isEmpty() && deleted.isEmpty()) return;
    if (isPersist) logPersistence(call, updated);
    else logExpiry(call, expireAtMillis, updated);
    PropagatedCommands.fields(call, "HDEL", deleted);
    String event = isPersist ? "hpersist" : updated.isEmpty() ? "hdel" : "hexpire";
    noteChanges(call, hash, event, updated.size() + deleted.size());
  }

  /**
   * HGETDEL key FIELDS numfields field [field ...]: replies values as HMGET does, and removes the
   * fields. O(fields). WRONGTYPE if not a hash.
   */
  public static void hgetdel(Call call) {
    RedisHash found = call.write(1, RedisHash.class);
    if (call.failed()) return;
    int first = fields(call, 2, BAD_COUNT);
    if (call.failed()) return;
    RedisHash hash = HashCommands.withoutDue(call, found, first, call.argc() - 1);
    call.reply().array(call.argc() - first);
    List<byte[]> removed = new ArrayList<>();
    for (int i = first; i < call.argc(); i++) {
      HashCommands.write(call, hash, i);
      boolean isRemoved = hash != null && hash.remove(call.slice(i));
      if (isRemoved) removed.add(call.arg(i));
    }
    if (hash == null || removed.isEmpty()) return;
    PropagatedCommands.fields(call, "HDEL", removed);
    noteChanges(call, hash, "hdel", removed.size());
  }

  /**
   * HSETEX key [NX|XX] [FNX|FXX] [EX seconds|PX milliseconds|EXAT time|PXAT time|KEEPTTL] FIELDS
   * numfields field value [field value ...]: sets fields with an expiry; FNX requires that none of
   * the fields exists, FXX that all do; NX and XX, as in Valkey, require the same of the key;
   * replies 1 or 0. O(fields). WRONGTYPE if not a hash.
   */
  public static void hsetex(Call call) {
    HsetexOptions options = HsetexOptions.parse(call);
    if (options == null) return;
    RedisHash hash = call.write(1, RedisHash.class);
    if (call.failed()) return;
    if (hash != null && options.isConditional()) removeDuePairs(call, hash, options.first());
    if (!options.allows(call, hash == null || hash.size() == 0 ? null : hash)) {
      if (hash != null) call.removeIfEmpty(1, hash);
      call.reply().integer(0);
      return;
    }
    boolean fresh = hash == null;
    if (hash == null) hash = new RedisHash();
    if (options.expires()) hash.allowExpiry();
    List<byte[]> deleted = new ArrayList<>();
    for (int i = options.first(); i < call.argc(); i += 2) {
      if (set(call, hash, i, options) == DELETED) deleted.add(call.arg(i));
    }
    if (!deleted.isEmpty()) PropagatedCommands.fields(call, "HDEL", deleted);
    else if (options.expires())
      PropagatedCommands.at(call, options.timeArg(), options.expireAtMillis());
    if (fresh) call.create(1, hash);
    call.changed(1, KeyspaceEvent.HASH, "hset", (call.argc() - options.first()) / 2);
    if (options.expires()) {
      call.notifyEvent(KeyspaceEvent.HASH, deleted.isEmpty() ? "hexpire" : "hdel", 1);
    }
    call.removeIfEmpty(1, hash);
    call.reply().integer(1);
  }

  /**
   * Removes the expired ones of the fields; an empty hash stays, since it may be filled at once.
   */
  private static void removeDuePairs(Call call, RedisHash hash, int first) {
    if (!hash.allowsExpiry() || call.engine().keyspace().keepsDue()) return;
    for (int i = first; i < call.argc(); i += 2) {
      if (hash.expire(call.slice(i), call.nowMillis())) {
        call.database().expiry().noteExpired(hash, List.of(call.arg(i)));
      }
    }
  }

  private static int set(Call call, RedisHash hash, int field, HsetexOptions options) {
    long old = hash.fieldExpireAtMillis(call.slice(field));
    boolean unused = HashCommands.set(call, hash, field);
    if (options.expires()) {
      return expire(call, hash, field, options.expireAtMillis(), ExpireCondition.NONE);
    }
    if (options.keepTtl() && old >= 0) hash.fieldExpireAtMillis(call.slice(field), old);
    return DONE;
  }
}
