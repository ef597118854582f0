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
 *   tags   |T T T . T x T .|T ...      T: 0x80 | 7 bits of the hash   .: empty   x: removed
 *   slots  |R R R   R   R  |R ...      R: record or keyed object
 *   times  |t t t   t   t  |t ...      only in an {@link ExpiryTable}
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

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  /** The time of an empty slot: it is never due. */
  private static final long NO_TIME = Long.MAX_VALUE;

  private static final byte EMPTY = 0;
  private static final byte REMOVED = 1;

  final int depth;
  final int groupBits;
  final @Nullable Object[] slots;
  private final byte[] tags;

  /**
   * The expiry times of the entries, so that due ones are found without reading any entry; or null.
   */
  private final long @Nullable [] times;

  private int used;
  private int removed;

  Segment(int depth, int capacity, boolean hasTimes) {
    this.depth = depth;
    groupBits = Integer.numberOfTrailingZeros(capacity / GROUP);
    slots = new Object[capacity];
    tags = new byte[capacity];
    times = hasTimes ? new long[capacity] : null;
    if (times != null) Arrays.fill(times, NO_TIME);
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
        if (hasKey(slots[at], key, offset, length)) return at;
      }
      if (zeroBytes(word) != 0) return -1;
    }
  }

  int touchTags(long hash) {
    return tags[home(hash) * GROUP];
  }

  int touchSlots(long hash) {
    return slots[home(hash) * GROUP] == null ? 0 : 1;
  }

  /** The first slot whose tag matches, most likely the wanted one; or null. */
  @Nullable Object candidate(long hash) {
    int group = home(hash) * GROUP;
    long pattern = (hash & 0x7f | 0x80) * ONES;
    long match = zeroBytes((long) WORD.get(tags, group) ^ pattern);
    return match == 0 ? null : slots[group + (Long.numberOfTrailingZeros(match) >>> 3)];
  }

  /** The time of the entry at an index; 0 in a table without times. */
  long time(int at) {
    return times == null ? 0 : times[at];
  }

  /** Replaces the slot at an index, and its time in a table that has times. */
  void replace(int at, Object slot, long time) {
    slots[at] = slot;
    if (times != null) times[at] = time;
  }

  /** Adds an entry that is known to be absent; there must be room. */
  void insert(long hash, Object slot, long time) {
    int mask = tags.length - 1;
    for (int group = home(hash) * GROUP; ; group = group + GROUP & mask) {
      long free = ~(long) WORD.get(tags, group) & HIGHS;
      if (free == 0) continue;
      int at = group + (Long.numberOfTrailingZeros(free) >>> 3);
      if (tags[at] == REMOVED) removed--;
      tags[at] = (byte) (hash & 0x7f | 0x80);
      replace(at, slot, time);
      used++;
      return;
    }
  }

  Object remove(int at) {
    Object slot = slots[at];
    boolean searchesPassHere = zeroBytes((long) WORD.get(tags, at & -GROUP)) == 0;
    tags[at] = searchesPassHere ? REMOVED : EMPTY;
    if (searchesPassHere) removed++;
    Arrays.fill(slots, at, at + 1, null);
    if (times != null) times[at] = NO_TIME;
    used--;
    if (slot == null) throw new AssertionError("removed an empty slot: at=" + at);
    return slot;
  }

  /** Visits the slots of a group. */
  void visitSlots(int group, Consumer<Object> visitor) {
    for (int at = group * GROUP; at < (group + 1) * GROUP; at++) {
      Object slot = slots[at];
      if (slot != null) visitor.accept(slot);
    }
  }

  /**
   * Adds the entries whose time is at most {@code latest} to {@code due}, group by group. Stops
   * after the group in which {@code due} reaches {@code dueMax} entries. Returns the next group.
   */
  int collectDue(int firstGroup, long latest, int dueMax, List<Object> due) {
    long[] times = Objects.requireNonNull(this.times);
    int at = firstGroup * GROUP;
    while (at < times.length && due.size() < dueMax) {
      for (int end = at + GROUP; at < end; at++) {
        if (times[at] <= latest) due.add(Objects.requireNonNull(slots[at]));
      }
    }
    return at / GROUP;
  }

  /** Visits the slots that may have this home group; the caller decides by the hash. */
  void visitGroup(int home, Consumer<Object> visitor) {
    int mask = tags.length - 1;
    int group = home * GROUP;
    for (int seen = 0; seen < tags.length; seen += GROUP, group = group + GROUP & mask) {
      for (int at = group; at < group + GROUP; at++) {
        Object slot = slots[at];
        if (slot != null) visitor.accept(slot);
      }
      if (zeroBytes((long) WORD.get(tags, group)) != 0) return;
    }
  }

  /** High bits where {@code word} has a zero byte; a byte above a hit may be a false one. */
  private static long zeroBytes(long word) {
    return word - ONES & ~word & HIGHS;
  }

  private static boolean hasKey(@Nullable Object slot, byte[] key, int offset, int length) {
    if (slot instanceof byte[] record) {
      int from = Record.keyOffset(record);
      return Record.keyLength(record) == length
          && Arrays.equals(record, from, from + length, key, offset, offset + length);
    }
    return slot instanceof Keyed keyed
        && Arrays.equals(keyed.key(), 0, keyed.key().length, key, offset, offset + length);
  }
}
