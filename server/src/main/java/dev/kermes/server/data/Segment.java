package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link Dict}: open addressing in groups of eight slots, whose one-byte tags are
 * compared in one word.
 *
 * <pre>
 *   tags     |T T T . T x T .|T ...      T: 0x80 | 7 bits of the hash   .: empty   x: removed
 *   records  |A A 0   A   A  |0 ...      A: address of a record in the arena; once there is one
 *   objects  |    K          |K ...      K: keyed object, or a large record;  once there is one
 *   times    |t t t   t   t  |t ...      only in an {@link ExpiryTable}
 * </pre>
 *
 * An entry is in its home group or, if that is full, in the next one with room. A search ends at
 * the first group with an empty slot.
 */
final class Segment {

  static final int GROUP = 8;

  /** 1,024: a split moves at most this many entries, which takes about 0.1 ms. */
  static final int CAPACITY_MAX = 1024;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle HALF =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  /** The time of an empty slot: it is never due. */
  private static final long NO_TIME = Long.MAX_VALUE;

  private static final byte EMPTY = 0;
  private static final byte REMOVED = 1;

  final int depth;
  final int groupBits;
  private final Arena arena;
  private final byte[] tags;
  private int @Nullable [] records;
  private @Nullable Object @Nullable [] objects;

  /**
   * The expiry times of the entries, so that due ones are found without reading any entry; or null.
   */
  private final long @Nullable [] times;

  private int used;
  private int removed;

  Segment(int depth, int capacity, Arena arena, boolean hasTimes) {
    this.depth = depth;
    this.arena = arena;
    groupBits = Integer.numberOfTrailingZeros(capacity / GROUP);
    tags = new byte[capacity];
    times = hasTimes ? new long[capacity] : null;
    if (times != null) Arrays.fill(times, NO_TIME);
  }

  /** A copy of a segment of records, whose copies are in another arena at the same addresses. */
  Segment(Segment other, Arena arena) {
    depth = other.depth;
    groupBits = other.groupBits;
    this.arena = arena;
    tags = other.tags.clone();
    records = other.records == null ? null : other.records.clone();
    times = null;
    used = other.used;
    removed = other.removed;
  }

  int capacity() {
    return tags.length;
  }

  /** Whether seven of eight slots are taken: beyond that, searches for absent keys become long. */
  boolean isFull() {
    return used + removed >= tags.length - tags.length / 8;
  }

  boolean hasManyTombstones() {
    return removed > tags.length / 4;
  }

  boolean isSparse() {
    return tags.length > GROUP && used < tags.length / 8;
  }

  /** The home group of a hash: the bits after those that chose the segment. */
  int home(long hash) {
    return (int) (hash << depth >>> 1 >>> 63 - groupBits);
  }

  /** The index of the slot with that key, or -1. */
  int locate(long hash, byte[] key, int offset, int length) {
    byte[] tags = this.tags;
    long pattern = (hash & 0x7f | 0x80) * ONES;
    int mask = tags.length - 1;
    for (int group = home(hash) * GROUP; ; group = group + GROUP & mask) {
      long word = (long) WORD.get(tags, group);
      for (long match = zeroBytes(word ^ pattern); match != 0; match &= match - 1) {
        int at = group + (Long.numberOfTrailingZeros(match) >>> 3);
        if (hasKey(at, key, offset, length)) return at;
      }
      if (zeroBytes(word) != 0) return -1;
    }
  }

  int touchTags(long hash) {
    return tags[home(hash) * GROUP];
  }

  int touchSlots(long hash) {
    int[] records = this.records;
    @Nullable Object[] objects = this.objects;
    int at = home(hash) * GROUP;
    int touched = records == null ? 0 : records[at];
    return objects == null || objects[at] == null ? touched : touched + 1;
  }

  /** The index of the first entry whose tag matches, most likely the wanted one; or -1. */
  int candidate(long hash) {
    int group = home(hash) * GROUP;
    long pattern = (hash & 0x7f | 0x80) * ONES;
    long match = zeroBytes((long) WORD.get(tags, group) ^ pattern);
    return match == 0 ? -1 : group + (Long.numberOfTrailingZeros(match) >>> 3);
  }

  /** Loads the beginning of an entry into the cache. May run without the keyspace lock. */
  int touchEntry(int at) {
    int address = address(at);
    if (address != 0) return arena.touch(address);
    @Nullable Object[] objects = this.objects;
    if (objects == null) return 0;
    return objects[at] instanceof Keyed keyed ? keyed.key().length : 0;
  }

  // Entries

  boolean has(int at) {
    return tags[at] < 0;
  }

  /** The entry at an index: the view, moved to its record, or an object. */
  Object slot(int at, Record view) {
    int[] records = this.records;
    if (records != null) {
      int address = records[at];
      if (address != 0) return view.move(address);
    }
    return object(at);
  }

  private Object object(int at) {
    @Nullable Object[] objects = this.objects;
    Object object = objects == null ? null : objects[at];
    if (object == null) throw new AssertionError("no entry at " + at);
    return object;
  }

  /** The address of the entry's record; 0 for an object. */
  int address(int at) {
    int[] records = this.records;
    return records == null ? 0 : records[at];
  }

  /** The time of the entry at an index; 0 in a table without times. */
  long time(int at) {
    return times == null ? 0 : times[at];
  }

  /** Makes sure that an entry can be replaced by a record without more memory. */
  int[] withRecords() {
    int[] records = this.records;
    if (records == null) this.records = records = new int[tags.length];
    return records;
  }

  /** Makes sure that an entry can be replaced by an object without more memory. */
  @Nullable Object[] withObjects() {
    @Nullable Object[] objects = this.objects;
    if (objects == null) this.objects = objects = new Object[tags.length];
    return objects;
  }

  /** Stores a record of the arena at a place that was taken or vacated. */
  void fill(int at, int address, long time) {
    withRecords()[at] = address;
    if (times != null) times[at] = time;
  }

  /** Stores an object at a place that was taken or vacated. */
  void fill(int at, Object object, long time) {
    withObjects()[at] = object;
    if (times != null) times[at] = time;
  }

  /** Takes the entry at an index out of its place, which stays taken. */
  void vacate(int at) {
    int[] records = this.records;
    if (records != null && records[at] != 0) records[at] = 0;
    else withObjects()[at] = null;
  }

  /** Takes the place for an entry that is known to be absent; there must be room. */
  int take(long hash) {
    int mask = tags.length - 1;
    for (int group = home(hash) * GROUP; ; group = group + GROUP & mask) {
      long free = ~(long) WORD.get(tags, group) & HIGHS;
      if (free == 0) continue;
      int at = group + (Long.numberOfTrailingZeros(free) >>> 3);
      if (tags[at] == REMOVED) removed--;
      tags[at] = (byte) (hash & 0x7f | 0x80);
      used++;
      return at;
    }
  }

  /** Adds an entry of another segment; there must be room. */
  void insert(long hash, Segment from, int index) {
    int at = take(hash);
    int address = from.address(index);
    if (address != 0) fill(at, address, from.time(index));
    else fill(at, from.object(index), from.time(index));
  }

  /** Gives up a place that was vacated. */
  void remove(int at) {
    boolean searchesPassHere = zeroBytes((long) WORD.get(tags, at & -GROUP)) == 0;
    tags[at] = searchesPassHere ? REMOVED : EMPTY;
    if (searchesPassHere) removed++;
    if (times != null) times[at] = NO_TIME;
    used--;
  }

  /** The number of entries stored in a group. */
  int count(int group) {
    return Long.bitCount((long) WORD.get(tags, group * GROUP) & HIGHS);
  }

  /**
   * Stores the indexes of the entries of some groups in {@code places}, and in {@code hashes} the
   * bits of their hashes that their places tell, given those that chose the segment. Returns their
   * number.
   */
  int collect(int group, int end, long chosen, int[] places, long[] hashes) {
    int count = 0;
    for (; group < end; group++) {
      long prefix = prefix(chosen, group);
      long left = (long) WORD.get(tags, group * GROUP) & HIGHS;
      for (; left != 0; left &= left - 1) {
        int at = group * GROUP + (Long.numberOfTrailingZeros(left) >>> 3);
        places[count] = at;
        hashes[count++] = prefix | tags[at] & 0x7f;
      }
    }
    return count;
  }

  /** Whether the key of an entry is that of an entry of another segment. */
  boolean hasKeyOf(int at, Segment other, int otherAt) {
    int address = address(at);
    int otherAddress = other.address(otherAt);
    if (address != 0 && otherAddress != 0) {
      byte[] chunk = other.arena.chunk(otherAddress);
      int record = Arena.offset(otherAddress);
      return Record.isSameKey(arena.chunk(address), Arena.offset(address), chunk, record);
    }
    if (otherAddress != 0) {
      byte[] chunk = other.arena.chunk(otherAddress);
      int record = Arena.offset(otherAddress);
      int from = Record.keyOffset(chunk, record);
      return hasKey(at, chunk, from, Record.keyLength(chunk, record));
    }
    Object object = other.object(otherAt);
    if (object instanceof Record large) {
      return hasKey(at, large.array(), large.keyOffset(), large.keyLength());
    }
    byte[] key = ((Keyed) object).key();
    return hasKey(at, key, 0, key.length);
  }

  /** The first bits of the hashes that have a home group, given those that chose the segment. */
  private long prefix(long chosen, int home) {
    return groupBits == 0 ? chosen : chosen | (long) home << 64 - depth - groupBits;
  }

  /**
   * Whether an entry is certain to be in its home group: the group before it has an empty slot, and
   * so was never full.
   */
  boolean isHome(int at) {
    return zeroBytes((long) WORD.get(tags, (at & -GROUP) - GROUP & tags.length - 1)) != 0;
  }

  /** Whether the tags of the home group alone say that there is no entry of a hash. */
  boolean isAbsent(long hash) {
    return candidate(hash) < 0 && zeroBytes((long) WORD.get(tags, home(hash) * GROUP)) != 0;
  }

  /** Visits the entries of a group. */
  void visitSlots(int group, Record view, Consumer<Object> visitor) {
    for (int at = group * GROUP; at < (group + 1) * GROUP; at++) {
      if (has(at)) visitor.accept(slot(at, view));
    }
  }

  /**
   * Adds the keys of the entries whose time is at most {@code latest} to {@code due}, group by
   * group. Stops after the group in which {@code due} reaches {@code dueMax} keys. Returns the next
   * group.
   */
  int collectDue(int firstGroup, long latest, int dueMax, Record view, List<byte[]> due) {
    long[] times = Objects.requireNonNull(this.times);
    int at = firstGroup * GROUP;
    while (at < times.length && due.size() < dueMax) {
      for (int end = at + GROUP; at < end; at++) {
        if (times[at] <= latest) due.add(Dict.keyOf(slot(at, view)));
      }
    }
    return at / GROUP;
  }

  /** Visits the entries that may have this home group; the caller decides by the hash. */
  void visitGroup(int home, Record view, Consumer<Object> visitor) {
    int mask = tags.length - 1;
    int group = home * GROUP;
    for (int seen = 0; seen < tags.length; seen += GROUP, group = group + GROUP & mask) {
      for (int at = group; at < group + GROUP; at++) {
        if (has(at)) visitor.accept(slot(at, view));
      }
      if (zeroBytes((long) WORD.get(tags, group)) != 0) return;
    }
  }

  /** High bits where {@code word} has a zero byte; a byte above a hit may be a false one. */
  private static long zeroBytes(long word) {
    return word - ONES & ~word & HIGHS;
  }

  private boolean hasKey(int at, byte[] key, int offset, int length) {
    int address = address(at);
    if (address == 0) return hasKey(object(at), key, offset, length);
    byte[] chunk = arena.chunk(address);
    int record = Arena.offset(address);
    if (Record.keyLength(chunk, record) != length) return false;
    int from = Record.keyOffset(chunk, record);
    return isSame(chunk, from, key, offset, length);
  }

  /**
   * Compares two texts; those of 4 to 16 bytes, as most keys are, by two words that may overlap.
   * That takes a third less than a comparison for any length.
   */
  static boolean isSame(byte[] a, int from, byte[] b, int offset, int length) {
    if (length >= 8 && length <= 16) {
      return (long) WORD.get(a, from) == (long) WORD.get(b, offset)
          && (long) WORD.get(a, from + length - 8) == (long) WORD.get(b, offset + length - 8);
    }
    if (length >= 4 && length < 8) {
      return (int) HALF.get(a, from) == (int) HALF.get(b, offset)
          && (int) HALF.get(a, from + length - 4) == (int) HALF.get(b, offset + length - 4);
    }
    return Arrays.equals(a, from, from + length, b, offset, offset + length);
  }

  private static boolean hasKey(Object object, byte[] key, int offset, int length) {
    if (object instanceof Record large) {
      int from = large.keyOffset();
      return large.keyLength() == length && isSame(large.array(), from, key, offset, length);
    }
    byte[] own = ((Keyed) object).key();
    return own.length == length && isSame(own, 0, key, offset, length);
  }
}
