package dev.kermes.server.data;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hash table of keyspaces, sets, hashes and sorted sets. A slot holds a {@link Record} (a byte
 * array that begins with its key) or a {@link Keyed}; there are no entry objects.
 *
 * <pre>
 *   hash      |directory: depth bits|group in segment| ... |tag: 7 bits|
 *   directory [seg0][seg0][seg1][seg2] ...    several entries may share a segment
 * </pre>
 *
 * Extendible hashing: a full segment splits in two, so that growth never moves more than {@link
 * Segment#CAPACITY_MAX} entries at once, whatever the size of the table. Entries are ordered by
 * their hash, which makes a hash value a scan cursor that survives any growth.
 *
 * <p>Per key; a lookup allocates nothing. Guarded by the keyspace lock.
 */
public final class Dict {

  /** A cursor is the upper 48 bits of a hash: it fits clients that read it as a signed number. */
  private static final int CURSOR_SHIFT = 16;

  /** The end of all cursors. */
  static final long CURSOR_END = 1L << Long.SIZE - CURSOR_SHIFT;

  /** The size of a {@link Keyed} slot's fields. */
  private static final int KEYED = 40;

  /** 800 keys per segment on average: a segment rarely reaches 896, at which it is full. */
  private static final int SEGMENT_EXPECTED = 800;

  /** 2^26 segments of up to 1,024 slots: more than a Java array of references could hold. */
  private static final int DEPTH_MAX = 26;

  private final long seed;
  private final boolean hasTimes;
  private Segment[] directory;
  private int depth;
  private int size;

  /** Bytes of the slots on the heap, each counted once. */
  private long slotBytes;

  public Dict(long hashSeed) {
    this(hashSeed, false);
  }

  /** A table that keeps a time for each entry if {@code hasTimes}. */
  Dict(long hashSeed, boolean hasTimes) {
    seed = hashSeed;
    this.hasTimes = hasTimes;
    directory = new Segment[] {segment(0, Segment.GROUP)};
  }

  private Segment segment(int depth, int capacity) {
    return new Segment(depth, capacity, hasTimes);
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Makes an empty table large enough for that many keys, which avoids its later growth. */
  public void expect(int keys) {
    int segments = keys / SEGMENT_EXPECTED;
    if (size > 0 || segments == 0) return;
    depth = Math.min(Integer.SIZE - Integer.numberOfLeadingZeros(segments), DEPTH_MAX);
    directory = new Segment[1 << depth];
    Arrays.setAll(directory, i -> segment(depth, Segment.CAPACITY_MAX));
  }

  /** The hash by which this table files a key; only meaningful to the methods that take one. */
  public long hash(byte[] key, int offset, int length) {
    return Hash.of(key, offset, length, seed);
  }

  /** The slot with that key, or null. */
  public @Nullable Object find(byte[] key, int offset, int length) {
    return find(hash(key, offset, length), key, offset, length);
  }

  public @Nullable Object find(byte[] key) {
    return find(key, 0, key.length);
  }

  public @Nullable Object find(long hash, byte[] key, int offset, int length) {
    Segment segment = directory[index(hash)];
    int at = segment.locate(hash, key, offset, length);
    return at < 0 ? null : segment.slots[at];
  }

  /** Inserts a slot, or replaces the one with the same key; returns the replaced one or null. */
  public @Nullable Object put(Object slot) {
    return put(slot, 0);
  }

  /** Like {@link #put(Object)}, with the entry's time, which a table without times ignores. */
  @Nullable Object put(Object slot, long time) {
    boolean isRecord = slot instanceof byte[];
    byte[] key = isRecord ? (byte[]) slot : ((Keyed) slot).key();
    int offset = isRecord ? Record.keyOffset(key) : 0;
    int length = isRecord ? Record.keyLength(key) : key.length;
    long hash = hash(key, offset, length);
    Segment segment = directory[index(hash)];
    int at = segment.locate(hash, key, offset, length);
    if (at >= 0) {
      Object replaced = segment.slots[at];
      segment.replace(at, slot, time);
      slotBytes += slotBytes(slot) - slotBytes(replaced);
      return replaced;
    }
    while (segment.isFull()) {
      makeRoom(segment, hash);
      segment = directory[index(hash)];
    }
    segment.insert(hash, slot, time);
    slotBytes += slotBytes(slot);
    size++;
    return null;
  }

  /** Removes a key and returns its slot, or null. */
  public @Nullable Object remove(byte[] key, int offset, int length) {
    long hash = hash(key, offset, length);
    Segment segment = directory[index(hash)];
    int at = segment.locate(hash, key, offset, length);
    if (at < 0) return null;
    Object removed = segment.remove(at);
    slotBytes -= slotBytes(removed);
    size--;
    if (segment.isSparse()) replace(segment, resized(segment, segment.capacity() / 2), hash);
    return removed;
  }

  public @Nullable Object remove(byte[] key) {
    return remove(key, 0, key.length);
  }

  public void clear() {
    directory = new Segment[] {segment(0, Segment.GROUP)};
    depth = 0;
    size = 0;
    slotBytes = 0;
  }

  /** The approximate size of the table on the heap, including its slots. */
  public long heapBytes() {
    return tableBytes() + slotBytes;
  }

  /**
   * The approximate size of the table without its slots: a reference, a tag and perhaps a time for
   * each, at two thirds full.
   */
  public long tableBytes() {
    return 64 + 4L * directory.length + (hasTimes ? 20L : 8L) * size;
  }

  /** The size of a slot on the heap: of an array, or of an object with some fields and its key. */
  private static long slotBytes(@Nullable Object slot) {
    if (slot instanceof byte[] record) return HeapArray.bytes(record.length);
    return slot == null ? 0 : KEYED + HeapArray.bytes(((Keyed) slot).key().length);
  }

  /** A slot drawn at random, all with about the same probability; null from an empty table. */
  public @Nullable Object random(RandomGenerator random) {
    if (size == 0) return null;
    for (int tries = 0; tries < 256; tries++) {
      int i = random.nextInt(directory.length);
      Segment segment = directory[i];
      if (i > 0 && directory[i - 1] == segment) continue;
      Object slot = segment.slots[random.nextInt(segment.slots.length)];
      if (slot != null) return slot;
    }
    return firstFrom(random.nextInt(directory.length), random);
  }

  private @Nullable Object firstFrom(int start, RandomGenerator random) {
    for (int i = 0; i < directory.length; i++) {
      @Nullable Object[] slots = directory[(start + i) % directory.length].slots;
      int from = random.nextInt(slots.length);
      for (int j = 0; j < slots.length; j++) {
        Object slot = slots[(from + j) % slots.length];
        if (slot != null) return slot;
      }
    }
    return null;
  }

  /**
   * Visits the entries of the group at the cursor; 0 begins. Returns the next cursor, 0 after the
   * last group. An entry that is in the table during the whole scan is visited exactly once.
   */
  public long scan(long cursor, Consumer<Object> visitor) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory[index(from)];
    int home = segment.home(from);
    segment.visitGroup(
        home,
        slot -> {
          long hash = hashOf(slot);
          boolean isAhead = Long.compareUnsigned(hash >>> CURSOR_SHIFT, cursor) >= 0;
          if (isAhead && segment.home(hash) == home) visitor.accept(slot);
        });
    return cursorAfter(segment, from);
  }

  private static long cursorAfter(Segment segment, long from) {
    return cursorAfter(segment, from, 1);
  }

  /** The cursor {@code groups} groups after {@code from} in the same segment. */
  private static long cursorAfter(Segment segment, long from, int groups) {
    int prefixBits = segment.depth + segment.groupBits;
    if (prefixBits == 0) return 0;
    long next = (from >>> 64 - prefixBits) + groups;
    return next >>> prefixBits != 0 ? 0 : next << 64 - prefixBits >>> CURSOR_SHIFT;
  }

  /**
   * Visits the entries stored in the group at the cursor, whether or not it is their home group; 0
   * begins. Returns the next cursor, 0 after the last group. Unlike {@link #scan} it reads no keys,
   * which makes it several times as fast. But entries that the table moves between two calls may be
   * missed or visited twice.
   */
  public long sweep(long cursor, Consumer<Object> visitor) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory[index(from)];
    segment.visitSlots(segment.home(from), visitor);
    return cursorAfter(segment, from);
  }

  /**
   * Adds entries whose time is at most {@code latest} to {@code due}, from the cursor to the end of
   * its segment or until {@code due} has {@code dueMax} entries; 0 begins. Returns the next cursor,
   * 0 after the last segment. Reads only the times, one after the other.
   */
  long sweepDue(long cursor, long latest, int dueMax, List<Object> due) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory[index(from)];
    int group = segment.home(from);
    return cursorAfter(segment, from, segment.collectDue(group, latest, dueMax, due) - group);
  }

  /** Visits every entry; the visitor must not change the table. */
  public void forEach(Consumer<Object> visitor) {
    Segment last = null;
    for (Segment segment : directory) {
      if (segment == last) continue;
      last = segment;
      for (Object slot : segment.slots) if (slot != null) visitor.accept(slot);
    }
  }

  /**
   * Loads the memory that lookups of the keys with these hashes will need: all tags first, then all
   * slots, then all records. The result only keeps the loads from being optimized away. Overwrites
   * the hashes. May run without the keyspace lock: it only reads, and each part of the table that
   * it sees is complete.
   *
   * <p>Every pass looks up its segments again. Remembering them would mean storing references, and
   * the fence of each such store would keep the loads from overlapping.
   */
  public int touch(long[] hashes, int count) {
    Segment[] directory = this.directory;
    int shift = Integer.numberOfLeadingZeros(directory.length) + 32;
    int sink = 0;
    for (int i = 0; i < count; i++) {
      sink += directory[(int) (hashes[i] >>> 1 >>> shift)].touchTags(hashes[i]);
    }
    int found = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[i];
      hashes[found] = hash;
      if (directory[(int) (hash >>> 1 >>> shift)].candidate(hash) != null) found++;
    }
    for (int i = 0; i < found; i++) {
      Object slot = directory[(int) (hashes[i] >>> 1 >>> shift)].candidate(hashes[i]);
      if (slot instanceof byte[] record) sink += record[record.length >> 1];
      else if (slot instanceof Keyed keyed) sink += keyed.key().length;
    }
    return sink;
  }

  /**
   * Loads the places where new slots of these hashes belong, so that {@link #put} finds them in the
   * cache. Loads all tags first, then all slots, for the same reasons as {@link #touch}.
   */
  public int touchPlaces(long[] hashes, int count) {
    int sink = 0;
    for (int i = 0; i < count; i++) sink += directory[index(hashes[i])].touchTags(hashes[i]);
    for (int i = 0; i < count; i++) sink += directory[index(hashes[i])].touchSlots(hashes[i]);
    return sink;
  }

  private int index(long hash) {
    return (int) (hash >>> 1 >>> 63 - depth);
  }

  /** The hash by which this table files a slot. */
  public long hashOf(Object slot) {
    boolean isRecord = slot instanceof byte[];
    byte[] bytes = isRecord ? (byte[]) slot : ((Keyed) slot).key();
    int offset = isRecord ? Record.keyOffset(bytes) : 0;
    return hash(bytes, offset, isRecord ? Record.keyLength(bytes) : bytes.length);
  }

  private void makeRoom(Segment segment, long hash) {
    if (segment.hasManyTombstones()) replace(segment, resized(segment, segment.capacity()), hash);
    else if (segment.capacity() < Segment.CAPACITY_MAX || segment.depth == DEPTH_MAX) {
      replace(segment, resized(segment, segment.capacity() * 2), hash);
    } else {
      split(segment, hash);
    }
  }

  private Segment resized(Segment segment, int capacity) {
    Segment copy = segment(segment.depth, capacity);
    long[] hashes = hashesOf(segment);
    for (int i = 0; i < hashes.length; i++) {
      Object slot = segment.slots[i];
      if (slot != null) copy.insert(hashes[i], slot, segment.time(i));
    }
    return copy;
  }

  /** Computes all hashes before the first is used, so that the loads of the keys overlap. */
  private long[] hashesOf(Segment segment) {
    long[] hashes = new long[segment.slots.length];
    for (int i = 0; i < hashes.length; i++) {
      Object slot = segment.slots[i];
      if (slot != null) hashes[i] = hashOf(slot);
    }
    return hashes;
  }

  private void split(Segment segment, long hash) {
    if (segment.depth == depth) doubleDirectory();
    Segment low = segment(segment.depth + 1, Segment.CAPACITY_MAX);
    Segment high = segment(segment.depth + 1, Segment.CAPACITY_MAX);
    long[] hashes = hashesOf(segment);
    for (int i = 0; i < hashes.length; i++) {
      Object slot = segment.slots[i];
      if (slot == null) continue;
      (hashes[i] << segment.depth < 0 ? high : low).insert(hashes[i], slot, segment.time(i));
    }
    int count = 1 << depth - segment.depth;
    int first = index(hash) & -count;
    Arrays.fill(directory, first, first + count / 2, low);
    Arrays.fill(directory, first + count / 2, first + count, high);
  }

  private void doubleDirectory() {
    Segment[] doubled = new Segment[directory.length * 2];
    for (int i = 0; i < doubled.length; i++) doubled[i] = directory[i / 2];
    directory = doubled;
    depth++;
  }

  private void replace(Segment old, Segment fresh, long hash) {
    int count = 1 << depth - old.depth;
    int first = index(hash) & -count;
    Arrays.fill(directory, first, first + count, fresh);
  }
}
