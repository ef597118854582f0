package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a small hash in one byte array, without an object around it and, while there are
 * few, without spare room. Fields and values are {@link PackEntry}s, in the order of insertion.
 *
 * <pre>
 *   |count 2|room 2|field|value|field|value|…|room bytes|
 *   |count 2|room 2|field|value|expiry 8|field|value|expiry 8|…     if count has its highest bit
 * </pre>
 *
 * A method that changes the pack returns the changed one: the same array, or a new one. Positions
 * are those of fields, valid until the next change.
 */
final class FieldPack {

  /** The position of a missing field, or past the last one. */
  static final int NONE = -1;

  /**
   * The most fields, even if the configuration allows more: a walk through more would take too
   * long.
   */
  static final int SIZE_MAX = 0x7fff;

  /** The position of the first field, or the end of an empty pack. */
  static final int HEADER = 4;

  private static final int EXPIRY = 8;
  private static final int EXPIRING = 0x8000;

  /** Enough for a field of the greatest bulk length, and more. */
  private static final int BYTES_MAX = 1 << 30;

  /** 512: up to this size, a copy at each change costs less than spare room would. */
  private static final int EXACT_MAX = 512;

  /** The room is stored in two bytes. */
  private static final int ROOM_MAX = 0xfff0;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private FieldPack() {}

  static byte[] empty() {
    return new byte[HEADER];
  }

  /** Builds a pack from a list pack's alternating fields and values, which must fit. */
  static byte[] of(ListPack elements) {
    int end = HEADER + elements.bodyLength();
    byte[] pack = new byte[capacity(end)];
    end(pack, end);
    addToCount(pack, elements.size() / 2);
    elements.copyBodies(pack, HEADER);
    return pack;
  }

  /** Builds a pack from fields and values that come one by one. */
  static final class Builder {

    /** 32: so that the last field finds room although its size is not known yet. */
    private static final int SPARE = 32;

    /** 1024: the most bytes that are copied at once, so that few are if the next are not short. */
    private static final int AT_A_TIME = 1024;

    private byte[] pack;
    private int end = HEADER;
    private int count;
    private final PackEntry.Distinct fields;

    /** For up to {@code fieldsMax} fields, of probably {@code bytes} bytes. */
    Builder(int fieldsMax, int bytes) {
      pack = new byte[HEADER + bytes + SPARE];
      fields = new PackEntry.Distinct(fieldsMax);
    }

    /** Whether the pack may hold a field and a value of that many bytes at most. */
    boolean hasRoomFor(int longest) {
      return end + 2L * PackEntry.sizeMax(longest) < BYTES_MAX;
    }

    /** Adds a field; false if it is there already. */
    boolean add(Slice field, Slice value) {
      int endMax = end + PackEntry.sizeMax(field.length()) + PackEntry.sizeMax(value.length());
      if (endMax > pack.length) pack = Arrays.copyOf(pack, 2 * endMax);
      int at = end;
      int valueAt = PackEntry.putNext(pack, at, field.array(), field.offset(), field.length());
      if (!fields.add(pack, at)) return false;
      end = PackEntry.putNext(pack, valueAt, value.array(), value.offset(), value.length());
      count++;
      return true;
    }

    /**
     * See {@link RedisHash.Builder#addShort}. Copies bytes at once, as many as there is room for;
     * then the lengths among them become heads. As long as they do not change, the processor need
     * not read them to find the next field.
     */
    int addShort(Slice dump, int most) {
      byte[] array = dump.array();
      int at = dump.offset();
      byte[] out = pack;
      int room = Math.min(AT_A_TIME, out.length - end);
      int to = at + Math.min(dump.length(), room);
      int shift = end - at;
      System.arraycopy(array, at, out, end, to - at);
      int length = PackEntry.NO_LENGTH;
      int valueLength = PackEntry.NO_LENGTH;
      int added = 0;
      for (; added < most && at < to; added++) {
        if (array[at] != length || at + 1 + length >= to || array[at + 1 + length] != valueLength) {
          length = array[at];
          if (!PackEntry.isShort(length) || at + 1 + length >= to) break;
          valueLength = array[at + 1 + length];
          if (!PackEntry.isShort(valueLength)) break;
        }
        int valueAt = at + 1 + length;
        int next = valueAt + 1 + valueLength;
        if (next > to) break;
        if (PackEntry.mayBeLong(array[at + 1]) || PackEntry.mayBeLong(array[valueAt + 1])) break;
        out[at + shift] = PackEntry.shortHead(length);
        out[valueAt + shift] = PackEntry.shortHead(valueLength);
        long rank = PackEntry.Distinct.rank(array, at + 1, length);
        if (!fields.take(out, at + shift, rank)) break;
        at = next;
      }
      dump.wrap(array, at, dump.offset() + dump.length() - at);
      end = at + shift;
      count += added;
      return added;
    }

    byte[] build() {
      byte[] built = pack.length <= capacity(end) ? pack : Arrays.copyOf(pack, capacity(end));
      end(built, end);
      addToCount(built, count);
      return built;
    }
  }

  /** The number of fields. */
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

  /** Whether one pack may hold that many more bytes. */
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

  /** The position of the field after one that was removed at {@code at}, or NONE. */
  static int at(byte[] pack, int at) {
    return at == end(pack) ? NONE : at;
  }

  static int value(byte[] pack, int at) {
    return at + PackEntry.size(pack, at);
  }

  /** The position of the field after the one with the value at {@code valueAt}, or NONE. */
  static int nextOfValue(byte[] pack, int valueAt) {
    int after = valueAt + PackEntry.size(pack, valueAt);
    return at(pack, isExpiring(pack) ? after + EXPIRY : after);
  }

  private static int afterValue(byte[] pack, int at) {
    int value = value(pack, at);
    return value + PackEntry.size(pack, value);
  }

  private static int after(byte[] pack, int at) {
    return afterValue(pack, at) + (isExpiring(pack) ? EXPIRY : 0);
  }

  /** The positions of all fields. */
  static int[] positions(byte[] pack) {
    int[] positions = new int[size(pack)];
    int at = HEADER;
    for (int i = 0; i < positions.length; i++) {
      positions[i] = at;
      at = after(pack, at);
    }
    return positions;
  }

  /** The position of the field with that index. */
  static int seek(byte[] pack, int index) {
    int at = HEADER;
    while (index-- > 0) at = after(pack, at);
    return at;
  }

  /**
   * The position of a field. Looks first at {@code near}, the position of a field or the end, and
   * at the field after it.
   */
  static int find(byte[] pack, Slice field, int near) {
    byte[] array = field.array();
    int offset = field.offset();
    int length = field.length();
    if (Decimals.isLong(array, offset, length)) {
      return find(pack, Decimals.parseLong(array, offset, length), near);
    }
    int end = end(pack);
    if (near < end) {
      if (PackEntry.equalsString(pack, near, array, offset, length)) return near;
      int next = after(pack, near);
      if (next < end && PackEntry.equalsString(pack, next, array, offset, length)) return next;
    }
    int expiry = isExpiring(pack) ? EXPIRY : 0;
    PackEntry.Sought sought = new PackEntry.Sought(array, offset, length);
    int safe = sought.endOfSafe(pack, end);
    int at = HEADER;
    for (; at < safe; at = afterValue(pack, at) + expiry) {
      if (sought.isAt(pack, at)) return at;
    }
    for (; at < end; at = after(pack, at)) {
      if (PackEntry.equalsString(pack, at, array, offset, length)) return at;
    }
    return NONE;
  }

  /**
   * Searches of many fields of a pack that does not change. A search that does not find its field
   * near the last one makes a table of all positions, which costs less than walks through the pack.
   */
  static final class Search {

    private final byte[] pack;
    private int near = HEADER;
    private PackEntry.@Nullable Distinct table;

    Search(byte[] pack) {
      this.pack = pack;
    }

    int find(Slice field) {
      if (table == null) {
        near = findNear(field);
        if (near != NONE) return near;
        table = table(pack);
      }
      return table.find(pack, field);
    }

    private int findNear(Slice field) {
      int end = end(pack);
      if (near == end) return NONE;
      if (isAt(near, field)) return near;
      int next = after(pack, near);
      return next < end && isAt(next, field) ? next : NONE;
    }

    private boolean isAt(int at, Slice field) {
      return PackEntry.equals(pack, at, field.array(), field.offset(), field.length());
    }

    private static PackEntry.Distinct table(byte[] pack) {
      PackEntry.Distinct fields = new PackEntry.Distinct(size(pack));
      for (int at = first(pack); at != NONE; at = next(pack, at)) {
        boolean unused = fields.add(pack, at);
      }
      return fields;
    }
  }

  private static int find(byte[] pack, long field, int near) {
    int end = end(pack);
    if (near < end) {
      if (PackEntry.equals(pack, near, field)) return near;
      int next = after(pack, near);
      if (next < end && PackEntry.equals(pack, next, field)) return next;
    }
    for (int at = HEADER; at < end; at = after(pack, at)) {
      if (PackEntry.equals(pack, at, field)) return at;
    }
    return NONE;
  }

  /** The Unix time in milliseconds when a field expires; {@link Value#NEVER} for never. */
  static long expireAtMillis(byte[] pack, int at) {
    return isExpiring(pack) ? (long) LONG.get(pack, afterValue(pack, at)) : Value.NEVER;
  }

  /** Shows a visitor the field at a position and its value. */
  static void visit(byte[] pack, int at, int valueAt, RedisHash.FieldVisitor visitor) {
    boolean isText = !PackEntry.isInteger(pack, at);
    boolean isTextValue = !PackEntry.isInteger(pack, valueAt);
    byte[] field = isText ? pack : PackEntry.get(pack, at);
    byte[] value = isTextValue ? pack : PackEntry.get(pack, valueAt);
    visitor.visit(
        field,
        isText ? PackEntry.stringOffset(pack, at) : 0,
        isText ? PackEntry.stringLength(pack, at) : field.length,
        value,
        isTextValue ? PackEntry.stringOffset(pack, valueAt) : 0,
        isTextValue ? PackEntry.stringLength(pack, valueAt) : value.length);
  }

  // Changing

  /** Adds a field that is known to be absent, at the end and without expiry. */
  static byte[] append(byte[] pack, Slice field, Slice value) {
    int at = end(pack);
    int valueAt = at + sizeOf(field);
    int afterValue = valueAt + sizeOf(value);
    byte[] grown = splice(pack, at, 0, afterValue - at + (isExpiring(pack) ? EXPIRY : 0));
    put(grown, at, field);
    put(grown, valueAt, value);
    if (isExpiring(grown)) LONG.set(grown, afterValue, Value.NEVER);
    addToCount(grown, 1);
    return grown;
  }

  /** Gives a field another value. */
  static byte[] replace(byte[] pack, int at, Slice value) {
    int from = value(pack, at);
    byte[] changed = splice(pack, from, PackEntry.size(pack, from), sizeOf(value));
    put(changed, from, value);
    return changed;
  }

  private static int sizeOf(Slice text) {
    return PackEntry.sizeOf(text.array(), text.offset(), text.length());
  }

  private static void put(byte[] pack, int at, Slice text) {
    PackEntry.put(pack, at, text.array(), text.offset(), text.length());
  }

  static byte[] remove(byte[] pack, int at) {
    byte[] shrunk = splice(pack, at, after(pack, at) - at, 0);
    addToCount(shrunk, -1);
    return shrunk;
  }

  /** Removes the fields at positions. */
  static byte[] removeAll(byte[] pack, BitSet positions) {
    byte[] kept = new byte[pack.length];
    int to = 0;
    int from = 0;
    for (int at = positions.nextSetBit(0); at >= 0; at = positions.nextSetBit(at + 1)) {
      System.arraycopy(pack, from, kept, to, at - from);
      to += at - from;
      from = after(pack, at);
    }
    int rest = end(pack) - from;
    System.arraycopy(pack, from, kept, to, rest);
    byte[] shrunk = Arrays.copyOf(kept, capacity(to + rest));
    end(shrunk, to + rest);
    addToCount(shrunk, -positions.cardinality());
    return shrunk;
  }

  /** Gives a field an expiry time, {@link Value#NEVER} for none; only if {@link #isExpiring}. */
  static void expireAtMillis(byte[] pack, int at, long unixMillis) {
    LONG.set(pack, afterValue(pack, at), unixMillis);
  }

  /** Builds a pack of the same fields with room for an expiry time each. */
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

  /** Replaces {@code oldSize} bytes by room for {@code newSize} bytes. */
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

  /**
   * The array length for {@code bytes} bytes and their room, rounded up to 8 as the heap does
   * anyway.
   */
  private static int capacity(int bytes) {
    return bytes + room(bytes) + 7 & -8;
  }

  private static int room(int bytes) {
    return bytes <= EXACT_MAX ? 0 : Math.min(bytes / 8, ROOM_MAX / 2);
  }
}
