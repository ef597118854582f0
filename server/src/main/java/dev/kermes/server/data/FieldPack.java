package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a small hash in one byte array, without an object around it and, while they are
 * few, without spare room. Fields and values are {@link PackEntry}s, in the order of their coming.
 *
 * <pre>
 *   |count 2|room 2|field|value|field|value|…|so many bytes of room|
 *   |count 2|room 2|field|value|expiry 8|field|value|expiry 8|…     if count has its highest bit
 * </pre>
 *
 * A change returns the pack that has it: the same array, or a new one. Positions are those of
 * fields, valid until the next change.
 */
final class FieldPack {

  /** No such field, or past the last one. */
  static final int NONE = -1;

  /** However many the configuration allows: walking through more would take too long. */
  static final int SIZE_MAX = 0x7fff;

  private static final int HEADER = 4;
  private static final int EXPIRY = 8;
  private static final int EXPIRING = 0x8000;

  /** A field of the largest bulk and some more. */
  private static final int BYTES_MAX = 1 << 30;

  /** 512: copying so little at each change costs less than what room would take. */
  private static final int EXACT_MAX = 512;

  /** Room is told in two bytes. */
  private static final int ROOM_MAX = 0xfff0;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private FieldPack() {}

  static byte[] empty() {
    return new byte[HEADER];
  }

  /** A pack of fields and values in turn, for which it must have room; null if one comes twice. */
  static byte @Nullable [] of(Elements elements) {
    int end = HEADER;
    for (int i = 0; i < elements.count(); i++) {
      end += PackEntry.sizeOf(elements.array(i), elements.offset(i), elements.length(i));
    }
    byte[] pack = new byte[capacity(end)];
    end(pack, end);
    addToCount(pack, elements.count() / 2);
    int at = HEADER;
    for (int i = 0; i < elements.count(); i++) {
      PackEntry.put(pack, at, elements.array(i), elements.offset(i), elements.length(i));
      at += PackEntry.size(pack, at);
    }
    return hasFieldTwice(pack, elements) ? null : pack;
  }

  /** A pack of a list pack's fields and values in turn, for which it must have room. */
  static byte[] of(ListPack elements) {
    int end = HEADER + elements.bodyLength();
    byte[] pack = new byte[capacity(end)];
    end(pack, end);
    addToCount(pack, elements.size() / 2);
    elements.copyBodies(pack, HEADER);
    return pack;
  }

  private static boolean hasFieldTwice(byte[] pack, Elements elements) {
    int at = HEADER;
    for (int i = 0; i < elements.count(); i += 2) {
      int first = find(pack, elements.array(i), elements.offset(i), elements.length(i));
      if (first != at) return true;
      at = after(pack, at);
    }
    return false;
  }

  /** Fields. */
  static int size(byte[] pack) {
    return (short) SHORT.get(pack, 0) & SIZE_MAX;
  }

  /** Whether fields have room for an expiry time. */
  static boolean isExpiring(byte[] pack) {
    return (short) SHORT.get(pack, 0) < 0;
  }

  private static int end(byte[] pack) {
    return pack.length - ((short) SHORT.get(pack, 2) & 0xffff);
  }

  private static void end(byte[] pack, int end) {
    SHORT.set(pack, 2, (short) (pack.length - end));
  }

  /** Whether so many bytes more are still within what one pack may hold. */
  static boolean hasRoomFor(byte[] pack, long more) {
    return end(pack) + more < BYTES_MAX;
  }

  // Walking

  static int first(byte[] pack) {
    return at(pack, HEADER);
  }

  static int next(byte[] pack, int at) {
    return at(pack, after(pack, at));
  }

  /** The position of what follows a field that was removed there. */
  static int at(byte[] pack, int at) {
    return at == end(pack) ? NONE : at;
  }

  static int value(byte[] pack, int at) {
    return at + PackEntry.size(pack, at);
  }

  private static int afterValue(byte[] pack, int at) {
    int value = value(pack, at);
    return value + PackEntry.size(pack, value);
  }

  private static int after(byte[] pack, int at) {
    return afterValue(pack, at) + (isExpiring(pack) ? EXPIRY : 0);
  }

  /** The field of that index. */
  static int seek(byte[] pack, int index) {
    int at = HEADER;
    while (index-- > 0) at = after(pack, at);
    return at;
  }

  static int find(byte[] pack, byte[] array, int offset, int length) {
    if (Decimals.isLong(array, offset, length)) {
      return find(pack, Decimals.parseLong(array, offset, length));
    }
    int end = end(pack);
    for (int at = HEADER; at < end; at = after(pack, at)) {
      if (PackEntry.equalsString(pack, at, array, offset, length)) return at;
    }
    return NONE;
  }

  private static int find(byte[] pack, long field) {
    int end = end(pack);
    for (int at = HEADER; at < end; at = after(pack, at)) {
      if (PackEntry.equals(pack, at, field)) return at;
    }
    return NONE;
  }

  /** The Unix time in milliseconds when a field ends; {@link Value#NEVER} for never. */
  static long expireAtMillis(byte[] pack, int at) {
    return isExpiring(pack) ? (long) LONG.get(pack, afterValue(pack, at)) : Value.NEVER;
  }

  // Changing

  /** Adds a field that is known to be absent, at the end and without expiry. */
  static byte[] append(
      byte[] pack,
      byte[] field,
      int fieldOffset,
      int fieldLength,
      byte[] value,
      int valueOffset,
      int valueLength) {
    int at = end(pack);
    int valueAt = at + PackEntry.sizeOf(field, fieldOffset, fieldLength);
    int afterValue = valueAt + PackEntry.sizeOf(value, valueOffset, valueLength);
    byte[] grown = splice(pack, at, 0, afterValue - at + (isExpiring(pack) ? EXPIRY : 0));
    PackEntry.put(grown, at, field, fieldOffset, fieldLength);
    PackEntry.put(grown, valueAt, value, valueOffset, valueLength);
    if (isExpiring(grown)) LONG.set(grown, afterValue, Value.NEVER);
    addToCount(grown, 1);
    return grown;
  }

  /** Gives a field another value. */
  static byte[] replace(byte[] pack, int at, byte[] value, int offset, int length) {
    int from = value(pack, at);
    int newSize = PackEntry.sizeOf(value, offset, length);
    byte[] changed = splice(pack, from, PackEntry.size(pack, from), newSize);
    PackEntry.put(changed, from, value, offset, length);
    return changed;
  }

  static byte[] remove(byte[] pack, int at) {
    byte[] shrunk = splice(pack, at, after(pack, at) - at, 0);
    addToCount(shrunk, -1);
    return shrunk;
  }

  /** Gives a field an expiry time, {@link Value#NEVER} for none; only if {@link #isExpiring}. */
  static void expireAtMillis(byte[] pack, int at, long unixMillis) {
    LONG.set(pack, afterValue(pack, at), unixMillis);
  }

  /** A pack of the same fields which have room for an expiry time. */
  static byte[] expiring(byte[] pack) {
    byte[] wider = new byte[capacity(end(pack) + EXPIRY * size(pack))];
    int to = HEADER;
    for (int at = first(pack); at != NONE; at = next(pack, at)) {
      int size = afterValue(pack, at) - at;
      System.arraycopy(pack, at, wider, to, size);
      LONG.set(wider, to + size, Value.NEVER);
      to += size + EXPIRY;
    }
    SHORT.set(wider, 0, (short) (size(pack) | EXPIRING));
    end(wider, to);
    return wider;
  }

  private static void addToCount(byte[] pack, int fields) {
    SHORT.set(pack, 0, (short) ((short) SHORT.get(pack, 0) + fields));
  }

  /** Puts room for {@code newSize} bytes in place of {@code oldSize} ones. */
  private static byte[] splice(byte[] pack, int at, int oldSize, int newSize) {
    int end = end(pack);
    int newEnd = end + newSize - oldSize;
    byte[] target = pack;
    if (newEnd > pack.length || pack.length > capacity(newEnd + room(newEnd))) {
      target = new byte[capacity(newEnd)];
      System.arraycopy(pack, 0, target, 0, at);
    }
    System.arraycopy(pack, at + oldSize, target, at + newSize, end - at - oldSize);
    end(target, newEnd);
    return target;
  }

  /** The length of an array for so many bytes: what the heap would round up to is there to use. */
  private static int capacity(int bytes) {
    return bytes + room(bytes) + 7 & -8;
  }

  private static int room(int bytes) {
    return bytes <= EXACT_MAX ? 0 : Math.min(bytes / 8, ROOM_MAX / 2);
  }
}
