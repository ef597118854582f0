package dev.kermes.server.command.hash;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.resp.SpareArrays;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.command.RandomReply;
import dev.kermes.server.command.ScanOptions;
import dev.kermes.server.command.Strings;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.LongDouble;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hashes. A field is O(1). */
public final class HashCommands {

  private HashCommands() {}

  // Writing

  /**
   * HSET key field value [field value ...]: sets fields, creating the hash; replies how many were
   * new. O(fields). WRONGTYPE if not a hash.
   */
  public static void hset(Call call) {
    if (call.argc() % 2 != 0) {
      Arguments.wrongArity(call, "hset");
      return;
    }
    int added = setAll(call);
    if (!call.failed()) call.reply().integer(added);
  }

  /**
   * HMSET key field value [field value ...]: HSET that replies OK. O(fields). WRONGTYPE if not a
   * hash.
   */
  public static void hmset(Call call) {
    if (call.argc() % 2 != 0) {
      Arguments.wrongArity(call, "hmset");
      return;
    }
    int unused = setAll(call);
    if (!call.failed()) call.reply().ok();
  }

  private static int setAll(Call call) {
    RedisHash hash = call.write(1, RedisHash.class);
    if (call.failed()) return 0;
    boolean fresh = hash == null;
    int at = 2;
    if (hash == null && call.argc() > 2 * ListPack.TABLE_MIN) {
      RedisHash.Builder fields =
          new RedisHash.Builder(
              (call.argc() - 2) / 2, Long.MAX_VALUE, call.limits(), call.hashSeed());
      while (at < call.argc() && fields.add(call.slice(at), call.slice(at + 1))) at += 2;
      hash = fields.build();
    } else if (hash == null) {
      hash = new RedisHash();
    }
    int added = fresh ? (int) hash.size() : 0;
    for (; at < call.argc(); at += 2) if (set(call, hash, at)) added++;
    if (fresh) call.create(1, hash);
    call.changed(1, KeyspaceEvent.HASH, "hset", (call.argc() - 2) / 2);
    return added;
  }

  static boolean set(Call call, RedisHash hash, int field) {
    return call.length(field + 1) >= SpareArrays.LENGTH_MIN
        ? setLarge(call, hash, field)
        : hash.set(call.slice(field), call.slice(field + 1), call.limits(), call.hashSeed());
  }

  /**
   * Sets a field to a large value, which stays where it was received if it can. The array of the
   * value that it replaces is for the next input.
   */
  private static boolean setLarge(Call call, RedisHash hash, int field) {
    byte[] spare = hash.spareArray(call.slice(field));
    boolean isForPack = call.length(field + 1) <= call.limits().hashMaxListpackValue();
    RawString input = isForPack ? null : Strings.takeInput(call, field + 1);
    boolean isNew =
        input == null
            ? hash.set(call.slice(field), call.slice(field + 1), call.limits(), call.hashSeed())
            : hash.set(call.slice(field), input, call.hashSeed());
    if (spare != null) call.execution().spare(spare);
    return isNew;
  }

  /**
   * HSETNX key field value: sets a field unless it exists; replies 1 or 0. O(1). WRONGTYPE if not a
   * hash.
   */
  public static void hsetnx(Call call) {
    RedisHash hash = withoutDue(call, call.write(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    boolean exists = hash != null && contains(call, hash);
    if (!exists) {
      boolean fresh = hash == null;
      if (hash == null) hash = new RedisHash();
      boolean unused = set(call, hash, 2);
      if (fresh) call.create(1, hash);
      call.changed(1, KeyspaceEvent.HASH, "hset");
    }
    call.reply().integer(exists ? 0 : 1);
  }

  private static boolean contains(Call call, RedisHash hash) {
    return hash.contains(call.slice(2), call.fieldTime());
  }

  /**
   * The hash, after the removal of those fields in arguments {@code first} to {@code last} that
   * have expired; null if none is left.
   */
  public static @Nullable RedisHash withoutDue(
      Call call, @Nullable RedisHash hash, int first, int last) {
    if (hash == null || !hash.allowsExpiry() || call.engine().keyspace().keepsDue()) return hash;
    List<byte[]> expired = List.of();
    for (int i = first; i <= last; i++) {
      if (!hash.expire(call.slice(i), call.fieldTime())) continue;
      if (expired.isEmpty()) expired = new ArrayList<>();
      expired.add(call.arg(i));
    }
    return afterExpiring(call, hash, expired);
  }

  /** Does the same for one field that is not an argument. */
  public static @Nullable RedisHash withoutDue(Call call, RedisHash hash, byte[] field) {
    if (!hash.allowsExpiry() || call.engine().keyspace().keepsDue()) return hash;
    boolean isExpired = hash.expire(Slice.of(field), call.fieldTime());
    return afterExpiring(call, hash, isExpired ? List.of(field) : List.of());
  }

  private static @Nullable RedisHash afterExpiring(
      Call call, RedisHash hash, List<byte[]> expired) {
    if (!expired.isEmpty()) call.database().expiry().fieldsExpired(hash, expired);
    return hash.size() == 0 ? null : hash;
  }

  /**
   * HDEL key field [field ...]: removes fields; replies how many there were. O(fields). WRONGTYPE
   * if not a hash.
   */
  public static void hdel(Call call) {
    RedisHash hash = call.write(1, RedisHash.class);
    if (call.failed()) return;
    int removed = hash == null ? 0 : hash.removeAll(call.argc() - 2, i -> call.slice(i + 2));
    if (hash != null && removed > 0) {
      call.changed(1, KeyspaceEvent.HASH, "hdel", removed);
      call.removeIfEmpty(1, hash);
    }
    call.reply().integer(removed);
  }

  /**
   * HINCRBY key field increment: adds to the integer of a field, from 0; replies the sum. O(1).
   * WRONGTYPE if not a hash, an error if the field is not an integer or the sum overflows.
   */
  public static void hincrby(Call call) {
    long increment = call.integer(3);
    if (call.failed()) return;
    RedisHash hash = withoutDue(call, call.write(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    byte[] old = hash == null ? null : get(call, hash);
    if (old != null && !Decimals.isLong(old, 0, old.length)) {
      call.error("ERR hash value is not an integer");
      return;
    }
    long value = old == null ? 0 : Decimals.parseLong(old, 0, old.length);
    long sum = value + increment;
    if (((value ^ sum) & (increment ^ sum)) < 0) {
      call.error("ERR increment or decrement would overflow");
      return;
    }
    byte[] digits = new byte[Decimals.length(sum)];
    int unused = Decimals.put(digits, 0, sum);
    store(call, hash, digits, "hincrby");
    call.reply().integer(sum);
  }

  /**
   * HINCRBYFLOAT key field increment: adds to the number of a field, from 0; replies the sum. O(1).
   * WRONGTYPE if not a hash, an error if the field is not a number.
   */
  public static void hincrbyfloat(Call call) {
    BigDecimal increment = call.longDouble(3);
    if (increment == null) {
      call.error(notAnIncrement(call));
      return;
    }
    RedisHash hash = withoutDue(call, call.write(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    byte[] old = hash == null ? null : get(call, hash);
    BigDecimal value = old == null ? BigDecimal.ZERO : LongDouble.parse(old, 0, old.length);
    if (value == null) {
      call.error("ERR hash value is not a float");
      return;
    }
    BigDecimal sum = LongDouble.add(value, increment);
    if (sum == null) {
      call.error("ERR increment would produce NaN or Infinity");
      return;
    }
    String text = LongDouble.format(sum);
    byte[] digits = PropagatedCommands.ascii(text);
    store(call, hash, digits, "hincrbyfloat");
    logSum(call, digits);
    call.reply().bulk(text);
  }

  /** Logs HSET, and the expiry, which HSET removes. */
  private static void logSum(Call call, byte[] sum) {
    if (!call.log().isRead()) return;
    byte[] field = call.arg(2);
    call.log().instead("HSET", call.arg(1), field, sum);
    Object slot = call.database().keys().find(call.arg(1));
    long expireAtMillis =
        slot instanceof RedisHash hash ? hash.fieldExpireAtMillis(Slice.of(field)) : Value.NEVER;
    if (expireAtMillis >= 0) HashExpiryCommands.logExpiry(call, expireAtMillis, List.of(field));
  }

  private static String notAnIncrement(Call call) {
    return Numbers.isInfinity(call, 3)
        ? "ERR value is NaN or Infinity"
        : "ERR value is not a valid float";
  }

  private static void store(Call call, @Nullable RedisHash hash, byte[] number, String event) {
    boolean fresh = hash == null;
    if (hash == null) hash = new RedisHash();
    Slice field = call.slice(2);
    Slice value = Slice.of(number);
    long expireAtMillis = hash.allowsExpiry() ? hash.fieldExpireAtMillis(field) : Value.NEVER;
    boolean unused = hash.set(field, value, call.limits(), call.hashSeed());
    if (expireAtMillis >= 0) hash.fieldExpireAtMillis(field, expireAtMillis);
    if (fresh) call.create(1, hash);
    call.changed(1, KeyspaceEvent.HASH, event);
  }

  private static byte @Nullable [] get(Call call, RedisHash hash) {
    return hash.get(call.slice(2), call.fieldTime());
  }

  // Reading

  /** HGET key field: replies the field's value or nil. O(1). WRONGTYPE if not a hash. */
  public static void hget(Call call) {
    RedisHash hash = withoutDue(call, call.read(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    write(call, hash, 2);
  }

  /**
   * HMGET key field [field ...]: replies an array of values, nil for missing ones. O(fields).
   * WRONGTYPE if not a hash.
   */
  public static void hmget(Call call) {
    RedisHash hash = withoutDue(call, call.read(1, RedisHash.class), 2, call.argc() - 1);
    if (call.failed()) return;
    int fields = call.argc() - 2;
    call.reply().array(fields);
    Consumer<Slice> writer =
        hash == null
            ? field -> call.reply().nil()
            : hash.writer(fields, call.fieldTime(), call.reply());
    for (int i = 2; i < call.argc(); i++) writer.accept(call.slice(i));
  }

  static void write(Call call, @Nullable RedisHash hash, int field) {
    if (hash == null) {
      call.reply().nil();
      return;
    }
    hash.write(call.slice(field), call.fieldTime(), call.reply());
  }

  /**
   * HLEN key: replies the number of fields, expired ones included, 0 without hash. O(1). WRONGTYPE
   * if not a hash.
   */
  public static void hlen(Call call) {
    RedisHash hash = call.read(1, RedisHash.class);
    if (call.failed()) return;
    call.reply().integer(hash == null ? 0 : hash.size());
  }

  /**
   * HSTRLEN key field: replies the length of the field's value, 0 if it is missing. O(1). WRONGTYPE
   * if not a hash.
   */
  public static void hstrlen(Call call) {
    RedisHash hash = withoutDue(call, call.read(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    int length = hash == null ? 0 : hash.valueLength(call.slice(2), call.fieldTime());
    call.reply().integer(length);
  }

  /**
   * HEXISTS key field: replies 1 if the hash has the field, else 0. O(1). WRONGTYPE if not a hash.
   */
  public static void hexists(Call call) {
    RedisHash hash = withoutDue(call, call.read(1, RedisHash.class), 2, 2);
    if (call.failed()) return;
    call.reply().integer(hash != null && contains(call, hash) ? 1 : 0);
  }

  /** HGETALL key: replies a map of all fields and values. O(n). WRONGTYPE if not a hash. */
  public static void hgetall(Call call) {
    RedisHash hash = call.read(1, RedisHash.class);
    if (call.failed()) return;
    RespWriter out = call.reply();
    long now = call.fieldTime();
    out.map(hash == null ? 0 : (int) hash.liveSize(now));
    if (hash == null) return;
    boolean isLasting = hash.hasLastingValues();
    hash.forEach(
        now,
        (field, fieldOffset, fieldLength, value, offset, length) -> {
          out.bulk(field, fieldOffset, fieldLength);
          writeValue(out, value, offset, length, isLasting);
        });
  }

  /** Writes a value of a hash; a lasting one, if it is large, by reference. */
  private static void writeValue(
      RespWriter out, byte[] value, int offset, int length, boolean isLasting) {
    if (isLasting) out.bulkShared(value, offset, length);
    else out.bulk(value, offset, length);
  }

  /** HKEYS key: replies an array of all fields. O(n). WRONGTYPE if not a hash. */
  public static void hkeys(Call call) {
    RedisHash hash = readForArray(call);
    if (hash == null) return;
    RespWriter out = call.reply();
    hash.forEach(
        call.fieldTime(), (field, offset, length, value, o, l) -> out.bulk(field, offset, length));
  }

  /** HVALS key: replies an array of all values. O(n). WRONGTYPE if not a hash. */
  public static void hvals(Call call) {
    RedisHash hash = readForArray(call);
    if (hash == null) return;
    RespWriter out = call.reply();
    boolean isLasting = hash.hasLastingValues();
    hash.forEach(
        call.fieldTime(),
        (field, o, l, value, offset, length) -> writeValue(out, value, offset, length, isLasting));
  }

  /** The hash, after writing its size as an array header; null if the reply is complete. */
  private static @Nullable RedisHash readForArray(Call call) {
    RedisHash hash = call.read(1, RedisHash.class);
    if (call.failed()) return null;
    call.reply().array(hash == null ? 0 : (int) hash.liveSize(call.fieldTime()));
    return hash;
  }

  /**
   * HRANDFIELD key [count [WITHVALUES]]: replies a random field, or an array of count different
   * fields; if count is negative, of -count possibly repeated ones. O(count). WRONGTYPE if not a
   * hash.
   */
  public static void hrandfield(Call call) {
    RandomReply draw = RandomReply.parse(call, "WITHVALUES");
    if (draw == null) return;
    RedisHash hash = withoutDue(call, call.read(1, RedisHash.class));
    if (call.failed()) return;
    draw.reply(call, hash == null ? RandomReply.NOTHING : new HashElements(hash));
  }

  /** The hash after the removal of all expired fields; null if none is left. */
  private static @Nullable RedisHash withoutDue(Call call, @Nullable RedisHash hash) {
    if (hash == null || !hash.allowsExpiry() || call.engine().keyspace().keepsDue()) return hash;
    return afterExpiring(call, hash, hash.expireAll(call.fieldTime()));
  }

  private record HashElements(RedisHash hash) implements RandomReply.Elements {

    @Override
    public long size() {
      return hash.size();
    }

    @Override
    public boolean isWalkedToDraw() {
      return !hash.encoding().equals("hashtable");
    }

    @Override
    public void draw(Call call, RandomReply.ElementVisitor visitor) {
      hash.random(call.random(), adapt(visitor));
    }

    @Override
    public void draw(Call call, long count, RandomReply.ElementVisitor visitor) {
      hash.random(call.random(), count, adapt(visitor));
    }

    @Override
    public void forEach(RandomReply.ElementVisitor visitor) {
      hash.forEach(RedisHash.WITH_DUE, adapt(visitor));
    }

    private static RedisHash.FieldVisitor adapt(RandomReply.ElementVisitor visitor) {
      return (field, fieldOffset, fieldLength, value, offset, length) ->
          visitor.visit(field, fieldOffset, fieldLength, out -> out.bulk(value, offset, length));
    }
  }

  /**
   * HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]: replies the next cursor and some
   * fields with their values. O(count). WRONGTYPE if not a hash.
   */
  public static void hscan(Call call) {
    ScanOptions.walk(
        call,
        RedisHash.class,
        "NOVALUES",
        (hash, page) -> {
          RedisHash.FieldVisitor visitor =
              (field, fieldOffset, fieldLength, value, offset, length) -> {
                if (!page.takes(field, fieldOffset, fieldLength)) return;
                page.next().bulk(field, fieldOffset, fieldLength);
                if (page.hasValues()) page.next().bulk(value, offset, length);
              };
          return at -> hash.scan(at, call.fieldTime(), visitor);
        });
  }
}
