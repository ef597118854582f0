package dev.kermes.server.command;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import dev.kermes.resp.SpareArrays;
import dev.kermes.server.data.RawString;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Slice;
import dev.kermes.server.keyspace.Database;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A common view of the two forms of strings, {@link Record} and {@link RawString}. */
public final class Strings {

  /** The greatest length that Redis stores in one allocation, as embstr. */
  private static final int EMBEDDED_LENGTH_MAX = 44;

  /** The number of digits of the integers that Redis shares. */
  private static final int SHARED_DIGITS_MAX = 4;

  /**
   * 256 KiB: a shorter value is copied, into an array of its length. The room after long input, of
   * 36 KB, is an eighth of this.
   */
  public static final int TAKEN_MIN = 256 * 1024;

  /** 64 KiB: a longer string that is dropped leaves its array to others. */
  private static final int SPARE_MIN = SpareArrays.LENGTH_MIN;

  private static final byte[] EMPTY = {};

  private Strings() {}

  public static boolean isString(@Nullable Object slot) {
    return slot instanceof Record || slot instanceof RawString;
  }

  public static byte[] array(Object slot) {
    return slot instanceof Record record ? record.array() : ((RawString) slot).array();
  }

  public static int offset(Object slot) {
    return slot instanceof Record record ? record.valueOffset() : ((RawString) slot).offset();
  }

  public static int length(Object slot) {
    return slot instanceof Record record ? record.valueLength() : ((RawString) slot).length();
  }

  public static byte at(Object slot, int index) {
    return slot instanceof Record record
        ? record.array()[record.valueOffset() + index]
        : ((RawString) slot).at(index);
  }

  public static byte[] copy(Object slot) {
    int offset = offset(slot);
    return Arrays.copyOfRange(array(slot), offset, offset + length(slot));
  }

  /** Replies a string, or nil for no slot. */
  public static void reply(RespWriter reply, @Nullable Object slot) {
    if (slot == null) {
      reply.nil();
    } else if (slot instanceof Record record) {
      reply.bulkShared(record.array(), record.valueOffset(), record.valueLength());
    } else {
      reply(reply, (RawString) slot);
    }
  }

  /**
   * Replies a string, or nil for no slot, that the command then takes out of the keyspace. The
   * array of a large one is for other values once the reply is sent.
   */
  public static void replyLast(Call call, @Nullable Object slot) {
    RespWriter reply = call.reply();
    if (slot instanceof RawString raw) {
      if (call.execution().isTaken(raw)) raw.arrived(); // the loop says if the input is still in it
      byte[] own = raw.takeSpareArray();
      if (own == null) reply(reply, raw);
      else reply.bulkOwned(own, raw.offset(), raw.length());
    } else {
      reply(reply, slot);
    }
  }

  private static void reply(RespWriter reply, RawString raw) {
    boolean isLarge = raw.restLength() >= RespWriter.SHARED_LENGTH_MIN;
    byte[] rest = isLarge ? raw.lendRest() : raw.rest();
    if (raw.headLength() == 0 && !isLarge) reply.bulk(rest, 0, raw.restLength());
    else if (raw.headLength() == 0) reply.bulkShared(rest, 0, raw.restLength());
    else {
      reply.bulkShared(
          raw.lendHead(), raw.headOffset(), raw.headLength(), rest, 0, raw.restLength());
    }
  }

  /** Replies {@code count} bytes of a string from {@code from} on. */
  public static void reply(RespWriter reply, Object slot, int from, int count) {
    if (slot instanceof Record record) {
      reply.bulkShared(record.array(), record.valueOffset() + from, count);
      return;
    }
    RawString raw = (RawString) slot;
    boolean isShort = count < RespWriter.SHARED_LENGTH_MIN;
    int fromRest = from - raw.headLength();
    if (isShort && fromRest >= 0) reply.bulk(raw.rest(), fromRest, count);
    else if (fromRest >= 0) reply.bulkShared(raw.lendRest(), fromRest, count);
    else if (fromRest + count > 0) reply.bulk(raw.range(from, count));
    else if (isShort) reply.bulk(raw.head(), raw.headOffset() + from, count);
    else reply.bulkShared(raw.lendHead(), raw.headOffset() + from, count);
  }

  /**
   * The string of a key for reading; null if absent, or of another type after replying WRONGTYPE.
   */
  public static @Nullable Object read(Call call, int keyArg) {
    return check(call, call.readSlot(keyArg));
  }

  /** The string of a key to change; null if absent, or of another type after replying WRONGTYPE. */
  public static @Nullable Object write(Call call, int keyArg) {
    return check(call, call.writeSlot(keyArg));
  }

  private static @Nullable Object check(Call call, @Nullable Object slot) {
    if (slot == null || isString(slot)) return slot;
    call.wrongType();
    return null;
  }

  /**
   * The string of a key in a form that can be written in place, with room for {@code newLength}
   * bytes; created empty if absent. If there is no memory for it, nothing changes.
   */
  public static RawString writable(Call call, int keyArg, @Nullable Object slot, int newLength) {
    if (slot instanceof RawString raw) {
      raw.own();
      return raw;
    }
    RawString raw =
        slot == null
            ? new RawString(EMPTY, 0, 0, newLength)
            : new RawString(array(slot), offset(slot), length(slot), newLength);
    raw.expireAtMillis(Database.expiryOf(slot));
    call.create(keyArg, raw);
    return raw;
  }

  /**
   * The string of a key for {@link RawString#append}, {@link RawString#write} and {@link
   * RawString#put}; a large one is not copied.
   */
  public static RawString growable(Call call, int keyArg, @Nullable Object slot, int newLength) {
    if (slot instanceof RawString raw) return raw;
    if (slot == null || length(slot) < RawString.LARGE_LENGTH_MIN)
      return writable(call, keyArg, slot, newLength);
    RawString raw = RawString.after(array(slot), offset(slot), length(slot));
    raw.expireAtMillis(Database.expiryOf(slot));
    call.create(keyArg, raw);
    return raw;
  }

  /** The length limit of strings; commands of a write log were checked at their first run. */
  public static long lengthMax(Call call) {
    return call.engine().keyspace().isReplaying()
        ? Integer.MAX_VALUE - 8
        : call.engine().settings().clientOptions().bulkLengthMax.value();
  }

  /** Stores an argument as a string under a key, replacing the old value. */
  public static void store(Call call, int keyArg, int valueArg, long expireAtMillis) {
    int length = call.length(valueArg);
    if (length >= SPARE_MIN) storeLarge(call, keyArg, valueArg, expireAtMillis);
    else put(call, keyArg, call.bytes(), call.offset(valueArg), length, expireAtMillis);
  }

  /** Stores a large string. The array of the one that it replaces is for the next input. */
  private static void storeLarge(Call call, int keyArg, int valueArg, long expireAtMillis) {
    Object replaced =
        call.database().keys().find(call.bytes(), call.offset(keyArg), call.length(keyArg));
    byte[] spare = replaced instanceof RawString raw ? raw.spareArray() : null;
    RawString input = takeInput(call, valueArg);
    RawString stored = input == null ? copy(call, call.slice(valueArg)) : input;
    stored.expireAtMillis(expireAtMillis);
    call.create(keyArg, stored);
    if (spare != null) call.execution().spare(spare);
  }

  /**
   * Takes the arguments' array away from the connection if the argument fills most of it: the value
   * stays where it was received. Null if the array stays with the connection.
   */
  public static @Nullable RawString takeInput(Call call, int i) {
    int capacity = call.bytes().length;
    boolean isMost = call.length(i) >= TAKEN_MIN && call.length(i) > capacity - capacity / 4;
    return isMost ? call.execution().takeInput(call.slice(i)) : null;
  }

  private static RawString copy(Call call, Slice value) {
    return RawString.copyOf(value, call.execution().takeSpare(value.length()));
  }

  /** Stores a string under a key, replacing the old value. */
  public static void store(Call call, int keyArg, byte[] value, long expireAtMillis) {
    put(call, keyArg, value, 0, value.length, expireAtMillis);
  }

  // The path of SET, with arrays: slices take 3% more time here.

  private static void put(
      Call call, int keyArg, byte[] value, int offset, int length, long expireAtMillis) {
    call.database()
        .put(
            call.bytes(),
            call.offset(keyArg),
            call.length(keyArg),
            value,
            offset,
            length,
            expireAtMillis,
            call.engine().keyspace().lruClock().fresh());
  }

  /** Stores an argument as a string under a key without changing its expiry. */
  public static void storeKeepingExpiry(
      Call call, int keyArg, int valueArg, @Nullable Object replaced) {
    store(call, keyArg, valueArg, Database.expiryOf(replaced));
  }

  /** Stores a string under a key without changing its expiry. */
  public static void storeKeepingExpiry(
      Call call, int keyArg, @Nullable Object replaced, byte[] value) {
    store(call, keyArg, value, Database.expiryOf(replaced));
  }

  /**
   * Whether a string is one of the integers from 0 to 9999, which Redis stores once for all keys.
   */
  public static boolean isSmallInteger(Object slot) {
    if (!(slot instanceof Record record)) return false;
    int length = record.valueLength();
    int offset = record.valueOffset();
    return length <= SHARED_DIGITS_MAX
        && Decimals.isLong(record.array(), offset, length)
        && record.array()[offset] != '-';
  }

  /** The encoding of a string in the terms of OBJECT ENCODING. */
  public static String encoding(Object slot) {
    if (slot instanceof RawString) return "raw";
    Record record = (Record) slot;
    int length = record.valueLength();
    if (Decimals.isLong(record.array(), record.valueOffset(), length)) return "int";
    return length <= EMBEDDED_LENGTH_MAX ? "embstr" : "raw";
  }
}
