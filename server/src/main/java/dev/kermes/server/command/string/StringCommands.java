package dev.kermes.server.command.string;

import dev.kermes.resp.Decimals;
import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Expiry;
import dev.kermes.server.command.Numbers;
import dev.kermes.server.command.PropagatedCommands;
import dev.kermes.server.command.Strings;
import dev.kermes.server.command.keys.KeyCommands;
import dev.kermes.server.config.KeyspaceEvent;
import dev.kermes.server.data.LongDouble;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Strings. GET and SET are hot: a hit allocates nothing, a SET its record only. */
public final class StringCommands {

  private static final String NO_FINITE_SUM = "ERR increment would produce NaN or Infinity";

  private StringCommands() {}

  // Reading

  /** GET key: replies the string, nil if absent. O(1). WRONGTYPE if not a string. */
  public static void get(Call call) {
    Object slot = Strings.read(call, 1);
    if (!call.failed()) Strings.reply(call.reply(), slot);
  }

  /** MGET key [key ...]: replies each string, nil where absent or of another type. O(N). */
  public static void mget(Call call) {
    call.reply().array(call.argc() - 1);
    for (int i = 1; i < call.argc(); i++) {
      Object slot = call.readSlot(i);
      Strings.reply(call.reply(), Strings.isString(slot) ? slot : null);
    }
  }

  /** STRLEN key: replies the length in bytes, 0 if absent. O(1). */
  public static void strlen(Call call) {
    Object slot = Strings.read(call, 1);
    if (!call.failed()) call.reply().integer(slot == null ? 0 : Strings.length(slot));
  }

  /** GETRANGE key start end: replies the bytes between two indexes, both included. O(N). */
  public static void getrange(Call call) {
    long start = call.integer(2);
    if (call.failed()) return;
    long end = call.integer(3);
    if (call.failed()) return;
    Object slot = Strings.read(call, 1);
    if (call.failed()) return;
    int length = slot == null ? 0 : Strings.length(slot);
    if (start < 0 && end < 0 && start > end) length = 0;
    if (start < 0) start = Math.max(0, start + length);
    if (end < 0) end = Math.max(0, end + length);
    end = Math.min(end, length - 1L);
    if (slot == null || length == 0 || start > end) call.reply().bulk("");
    else Strings.reply(call.reply(), slot, (int) start, (int) (end - start + 1));
  }

  /** SUBSTR key start end: the old name of GETRANGE. */
  public static void substr(Call call) {
    getrange(call);
  }

  /** GETDEL key: replies the string and deletes the key. O(1). */
  public static void getdel(Call call) {
    Object slot = Strings.read(call, 1);
    if (call.failed()) return;
    Strings.replyLast(call, slot);
    if (slot != null) delete(call);
  }

  /** DIGEST key: replies the XXH3 hash of the string, nil if absent. O(N). */
  public static void digest(Call call) {
    Object slot = Strings.read(call, 1);
    if (call.failed()) return;
    if (slot == null) call.reply().nil();
    else call.reply().bulk(ValueCondition.digest(slot));
  }

  /**
   * DELEX key [IFEQ value | IFNE value | IFDEQ digest | IFDNE digest]: deletes the key if the
   * condition holds, or a key of any type without a condition; replies 1 or 0. O(N) for a digest.
   */
  public static void delex(Call call) {
    if (call.argc() == 2) {
      call.reply().integer(delete(call) ? 1 : 0);
    } else if (call.argc() != 4) {
      wrongNumber(call);
    } else {
      Object slot = call.readSlot(1);
      boolean isMet = slot != null && meetsCondition(call, slot);
      if (!call.failed()) call.reply().integer(isMet && delete(call) ? 1 : 0);
    }
  }

  private static boolean meetsCondition(Call call, Object slot) {
    if (!Strings.isString(slot)) {
      call.error("ERR Key should be of string type if conditions are specified");
      return false;
    }
    ValueCondition condition = ValueCondition.at(call, 2);
    if (condition == null) {
      call.error("ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE");
      return false;
    }
    return condition.holds(call, slot, 3);
  }

  /** DELIFEQ key value: deletes the key if it holds that string; replies 1 or 0. O(1). */
  public static void delifeq(Call call) {
    Object slot = Strings.write(call, 1);
    if (call.failed()) return;
    boolean isMet = slot != null && ValueCondition.IFEQ.holds(call, slot, 2);
    call.reply().integer(isMet && delete(call) ? 1 : 0);
  }

  private static boolean delete(Call call) {
    boolean isThere = call.delete(1);
    if (isThere) {
      PropagatedCommands.deleted(call, 1);
      call.changed(1, KeyspaceEvent.GENERIC, "del");
    }
    return isThere;
  }

  /** GETEX key [EX|PX|EXAT|PXAT time | PERSIST]: replies the string and sets its expiry. O(1). */
  public static void getex(Call call) {
    boolean persists = false;
    Expiry unit = null;
    int timeArg = 0;
    for (int i = 2; i < call.argc(); i++) {
      Expiry expiry = i + 1 < call.argc() ? Expiry.at(call, i) : null;
      if (call.is(i, "PERSIST") && unit == null) {
        persists = true;
      } else if (expiry != null && !persists && (unit == null || unit == expiry)) {
        unit = expiry;
        timeArg = ++i;
      } else {
        call.syntaxError();
        return;
      }
    }
    Object slot = Strings.read(call, 1);
    if (call.failed()) return;
    long expireAt = unit == null || slot == null ? Value.NEVER : unit.positiveMillis(call, timeArg);
    if (call.failed()) return;
    Strings.reply(call.reply(), slot);
    if (slot == null) return;
    if (unit != null) KeyCommands.setExpiry(call, 1, slot, expireAt);
    else if (persists && KeyCommands.persistSlot(call, 1, slot)) logPersistence(call);
  }

  private static void logPersistence(Call call) {
    if (call.log().isRead()) call.log().instead("PERSIST", call.arg(1));
  }

  /** LCS key1 key2 [LEN] [IDX] [MINMATCHLEN n] [WITHMATCHLEN]: the longest common subsequence. */
  public static void lcs(Call call) {
    Lcs.execute(call);
  }

  // Writing

  /** SET key value [options]: replies OK, or nil when a condition prevents it. O(1). */
  public static void set(Call call) {
    if (call.argc() == 3) {
      Strings.store(call, 1, 2, Value.NEVER);
      call.changed(1, KeyspaceEvent.STRING, "set");
      call.reply().ok();
    } else {
      setWithOptions(call);
    }
  }

  private static void setWithOptions(Call call) {
    SetOptions options = SetOptions.parseForSet(call);
    if (options == null) return;
    Object old = call.writeSlot(1);
    if (options.looksAtValue() && old != null && !Strings.isString(old)) {
      call.wrongType();
      return;
    }
    boolean isAllowed = options.allow(call, old);
    if (call.failed()) return;
    // The old value is replied before it is replaced: a raw one may be changed in place later.
    if (options.get() && isAllowed) Strings.replyLast(call, old);
    else if (options.get()) Strings.reply(call.reply(), old);
    else if (!isAllowed) call.reply().nil();
    if (!isAllowed) return;
    if (options.expires() && call.database().isPast(options.expireAtMillis())) expireAtOnce(call);
    else store(call, options, old);
    if (!options.get()) call.reply().ok();
  }

  private static void store(Call call, SetOptions options, @Nullable Object old) {
    Strings.store(call, 1, 2, options.expiryAfter(old));
    if (options.expires() || options.get()) PropagatedCommands.stored(call, 1);
    call.changed(1, KeyspaceEvent.STRING, "set");
    if (options.expires()) call.notifyEvent(KeyspaceEvent.GENERIC, "expire", 1);
  }

  /** SET with an expiry in the past deletes the key. */
  static void expireAtOnce(Call call) {
    call.engine().statistics().expiredKeys++;
    delete(call);
  }

  /** SETNX key value: replies 1 if the key was absent and is set, else 0. O(1). */
  public static void setnx(Call call) {
    boolean isAbsent = call.writeSlot(1) == null;
    if (isAbsent) {
      Strings.store(call, 1, 2, Value.NEVER);
      call.changed(1, KeyspaceEvent.STRING, "set");
    }
    call.reply().integer(isAbsent ? 1 : 0);
  }

  /** SETEX key seconds value: sets a string that expires. O(1). */
  public static void setex(Call call) {
    setExpiring(call, Expiry.EX);
  }

  /** PSETEX key milliseconds value: sets a string that expires. O(1). */
  public static void psetex(Call call) {
    setExpiring(call, Expiry.PX);
  }

  private static void setExpiring(Call call, Expiry unit) {
    long expireAt = unit.positiveMillis(call, 2);
    if (call.failed()) return;
    Strings.store(call, 1, 3, expireAt);
    PropagatedCommands.stored(call, 1);
    call.changed(1, KeyspaceEvent.STRING, "set");
    call.notifyEvent(KeyspaceEvent.GENERIC, "expire", 1);
    call.reply().ok();
  }

  /** GETSET key value: replies the old string and sets the new one. O(1). */
  public static void getset(Call call) {
    Object old = Strings.write(call, 1);
    if (call.failed()) return;
    Strings.replyLast(call, old);
    Strings.store(call, 1, 2, Value.NEVER);
    PropagatedCommands.stored(call, 1);
    call.changed(1, KeyspaceEvent.STRING, "set");
  }

  /** MSET key value [key value ...]: sets all of them. O(N). */
  public static void mset(Call call) {
    if (call.argc() % 2 == 0) {
      wrongNumber(call);
      return;
    }
    setPairs(call);
    call.reply().ok();
  }

  /** MSETNX key value [key value ...]: sets all, or none if one exists; replies 1 or 0. O(N). */
  public static void msetnx(Call call) {
    if (call.argc() % 2 == 0) {
      wrongNumber(call);
      return;
    }
    for (int i = 1; i < call.argc(); i += 2) {
      if (call.writeSlot(i) == null) continue;
      call.reply().integer(0);
      return;
    }
    setPairs(call);
    call.reply().integer(1);
  }

  /**
   * MSETEX numkeys key value [key value ...] [NX|XX] [expiry]: sets all of them; or none, if one
   * exists with NX or is missing with XX. Replies 1 or 0. O(N).
   */
  public static void msetex(Call call) {
    int keys =
        (int) Arguments.integerOrError(call, 1, 1, Integer.MAX_VALUE, "ERR invalid numkeys value");
    if (call.failed()) return;
    int end = 2 + 2 * keys;
    if (keys > call.argc() || end > call.argc()) {
      call.error("ERR wrong number of key-value pairs");
      return;
    }
    SetOptions options = SetOptions.parseForMsetex(call, end);
    if (options == null) return;
    for (int i = 2; i < end; i += 2) {
      if (options.allow(call, call.writeSlot(i))) continue;
      call.reply().integer(0);
      return;
    }
    for (int i = 2; i < end; i += 2) setOneOfMany(call, options, i);
    if (options.expires()) PropagatedCommands.at(call, options.timeArg(), options.expireAtMillis());
    call.reply().integer(1);
  }

  private static void setOneOfMany(Call call, SetOptions options, int keyArg) {
    Strings.store(call, keyArg, keyArg + 1, options.expiryAfter(call.writeSlot(keyArg)));
    if (options.expires()) call.notifyEvent(KeyspaceEvent.GENERIC, "expire", keyArg);
    call.changed(keyArg, KeyspaceEvent.STRING, "set");
  }

  private static void wrongNumber(Call call) {
    call.error("ERR wrong number of arguments for '" + call.spec().fullName() + "' command");
  }

  private static void setPairs(Call call) {
    for (int i = 1; i < call.argc(); i += 2) {
      Strings.store(call, i, i + 1, Value.NEVER);
      call.changed(i, KeyspaceEvent.STRING, "set");
    }
  }

  /** APPEND key value: appends, creating the string; replies its length. Amortised O(1). */
  public static void append(Call call) {
    Object slot = Strings.write(call, 1);
    if (call.failed()) return;
    if (slot == null) {
      Strings.store(call, 1, 2, Value.NEVER);
      call.changed(1, KeyspaceEvent.STRING, "append");
      call.reply().integer(call.length(2));
      return;
    }
    if (refuseTooLong(call, (long) Strings.length(slot) + call.length(2))) return;
    RawString raw = Strings.growable(call, 1, slot, Strings.length(slot) + call.length(2));
    raw.append(call.slice(2));
    call.changed(1, KeyspaceEvent.STRING, "append");
    call.reply().integer(raw.length());
  }

  /** SETRANGE key offset value: overwrites from an offset on; replies the length. O(N). */
  public static void setrange(Call call) {
    long offset = call.integer(2);
    if (call.failed()) return;
    if (offset < 0) {
      call.error("ERR offset is out of range");
      return;
    }
    Object slot = Strings.write(call, 1);
    if (call.failed()) return;
    int length = slot == null ? 0 : Strings.length(slot);
    int count = call.length(3);
    if (count == 0) {
      call.reply().integer(length);
      return;
    }
    if (offset > Integer.MAX_VALUE || refuseTooLong(call, offset + count)) {
      if (!call.failed()) refuseTooLong(call, Long.MAX_VALUE);
      return;
    }
    boolean isWhole = offset == 0 && count >= length;
    if (isWhole && count >= Strings.TAKEN_MIN) Strings.storeKeepingExpiry(call, 1, 3, slot);
    else {
      RawString raw = Strings.growable(call, 1, slot, (int) offset + count);
      raw.write((int) offset, call.slice(3));
    }
    call.changed(1, KeyspaceEvent.STRING, "setrange");
    call.reply().integer(Math.max(length, offset + count));
  }

  /** Replies an error if a string would exceed proto-max-bulk-len; returns whether it would. */
  static boolean refuseTooLong(Call call, long length) {
    if (length <= Strings.lengthMax(call)) return false;
    call.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    return true;
  }

  // Counting

  /** INCR key: adds 1 to the integer, 0 if absent; replies the sum. O(1). */
  public static void incr(Call call) {
    add(call, 1);
  }

  /** DECR key: subtracts 1. O(1). */
  public static void decr(Call call) {
    add(call, -1);
  }

  /** INCRBY key increment: adds to the integer; replies the sum. O(1). */
  public static void incrby(Call call) {
    long increment = call.integer(2);
    if (!call.failed()) add(call, increment);
  }

  /** DECRBY key decrement: subtracts from the integer; replies the difference. O(1). */
  public static void decrby(Call call) {
    long decrement = call.integer(2);
    if (call.failed()) return;
    if (decrement == Long.MIN_VALUE) call.error("ERR decrement would overflow");
    else add(call, -decrement);
  }

  private static void add(Call call, long increment) {
    Object slot = Strings.write(call, 1);
    if (call.failed()) return;
    long value = slot == null ? 0 : integerOf(call, slot);
    if (call.failed()) return;
    long sum = value + increment;
    if (((value ^ sum) & (increment ^ sum)) < 0) {
      call.error("ERR increment or decrement would overflow");
      return;
    }
    storeSum(call, slot, sum);
    call.changed(1, KeyspaceEvent.STRING, "incrby");
    call.reply().integer(sum);
  }

  /** Stores the sum, in place if it has as many digits as the old value. */
  private static void storeSum(Call call, @Nullable Object slot, long sum) {
    int length = Decimals.length(sum);
    if (slot instanceof Record record && record.valueLength() == length) {
      Decimals.put(record.array(), record.valueOffset(), sum);
      return;
    }
    byte[] digits = new byte[length];
    Decimals.put(digits, 0, sum);
    Strings.storeKeepingExpiry(call, 1, slot, digits);
  }

  /** INCREX key [BYINT|BYFLOAT increment] [bounds] [expiry]: adds within bounds. O(1). */
  public static void increx(Call call) {
    BoundedIncrement.execute(call);
  }

  private static long integerOf(Call call, Object slot) {
    byte[] array = Strings.array(slot);
    int offset = Strings.offset(slot);
    int length = Strings.length(slot);
    if (Decimals.isLong(array, offset, length)) return Decimals.parseLong(array, offset, length);
    call.error("ERR value is not an integer or out of range");
    return 0;
  }

  /**
   * INCRBYFLOAT key increment: adds to the number, 0 if absent; replies the sum. O(1). Computed as
   * Redis does on x86-64, in 80-bit floating point.
   */
  public static void incrbyfloat(Call call) {
    Object slot = Strings.write(call, 1);
    if (call.failed()) return;
    BigDecimal value = slot == null ? BigDecimal.ZERO : numberOf(slot);
    BigDecimal increment = call.longDouble(2);
    boolean isValueInfinite = value == null && slot != null && isInfinity(slot);
    boolean isIncrementInfinite = increment == null && Numbers.isInfinity(call, 2);
    if (value == null && !isValueInfinite || increment == null && !isIncrementInfinite) {
      call.error("ERR value is not a valid float");
      return;
    }
    BigDecimal sum = value == null || increment == null ? null : LongDouble.add(value, increment);
    if (sum == null) {
      call.error(NO_FINITE_SUM);
      return;
    }
    byte[] text = LongDouble.format(sum).getBytes(StandardCharsets.US_ASCII);
    Strings.storeKeepingExpiry(call, 1, slot, text);
    if (call.log().isRead())
      call.log().instead("SET", call.arg(1), text, PropagatedCommands.ascii("KEEPTTL"));
    call.changed(1, KeyspaceEvent.STRING, "incrbyfloat");
    call.reply().bulk(text);
  }

  private static boolean isInfinity(Object slot) {
    return Numbers.isInfinity(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }

  private static @Nullable BigDecimal numberOf(Object slot) {
    return LongDouble.parse(Strings.array(slot), Strings.offset(slot), Strings.length(slot));
  }
}
