package dev.kermes.server.data;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hash table of keyspaces, sets, hashes and sorted sets. A slot holds a {@link Record}, which
 * is in the table's {@link Arena}, or a {@link Keyed}; there are no entry objects.
 *
 * <pre>
 *   hash      |directory: depth bits|group in segment| ... |tag: 7 bits|
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

  private final long seed;
  private final boolean hasTimes;
  private final Arena arena;

  /** Whether the records are those of another table. */
  private final boolean isShared;

  private final Mover mover = new Mover();

  private final Views views;
  private final Directory directory;
  private int size;

  /** Bytes of the objects on the heap, each counted once. */
  private long objectBytes;

  public Dict(long hashSeed) {
    this(hashSeed, new Arena(), false, false);
  }

  private Dict(long hashSeed, Arena arena, boolean isShared, boolean hasTimes) {
    seed = hashSeed;
    this.hasTimes = hasTimes;
    this.arena = arena;
    this.isShared = isShared;
    views = new Views(arena);
    directory = new Directory(arena, hasTimes, this::hashOf);
  }

  /** A table of some of this table's slots, which keeps a time for each; the only one. */
  Dict withTimes() {
    Dict times = new Dict(seed, arena, true, true);
    mover.sharer = times.directory;
    return times;
  }

  /**
   * A copy of a table without objects, made without a look at its keys. Null if there are some, or
   * if a quarter of the memory is unused, which the copy would keep.
   */
  @Nullable Dict copy() {
    if (objectBytes > 0 || hasTimes || unusedBytes() > arena.chunkBytes() / 4) return null;
    Dict copy = new Dict(seed, arena.copy(), false, false);
    copy.directory.copy(directory);
    copy.size = size;
    return copy;
  }

  public int size() {
    return size;
  }

  /** Makes an empty table large enough for that many keys, which avoids its later growth. */
  public void expect(int keys) {
    if (size == 0) directory.expect(keys);
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
    Segment segment = directory.of(hash);
    int at = segment.locate(hash, key, offset, length);
    return at < 0 ? null : segment.slot(at, views.next());
  }

  /** Whether there is a slot with that key. */
  public boolean has(byte[] key, int offset, int length) {
    return has(hash(key, offset, length), key, offset, length);
  }

  boolean has(long hash, byte[] key, int offset, int length) {
    return directory.of(hash).locate(hash, key, offset, length) >= 0;
  }

  /**
   * Inserts a slot, or replaces the one with the same key. Returns the slot as it is in the table:
   * the arena has a copy of a record, unless it is large.
   */
  public Object put(Object slot) {
    return put(hashOf(slot), slot);
  }

  /** As {@link #put(Object)}; {@code hash} is that of the slot's key. */
  public Object put(long hash, Object slot) {
    if (!(slot instanceof Record record)) {
      byte[] key = ((Keyed) slot).key();
      putObject(hash, key, 0, key.length, slot, 0);
      return slot;
    }
    byte[] array = record.array();
    int keyOffset = record.keyOffset();
    int keyLength = record.keyLength();
    int valueLength = record.valueLength();
    long expireAtMillis = record.expireAtMillis();
    if (bytesInArena(keyLength, valueLength, expireAtMillis) == 0) {
      return putLarge(hash, record.detached());
    }
    int valueOffset = record.valueOffset();
    return put(
        hash,
        array,
        keyOffset,
        keyLength,
        array,
        valueOffset,
        valueLength,
        expireAtMillis,
        record.access());
  }

  /** Stores a record with an array of its own, which this table alone may change. */
  Record putLarge(long hash, Record own) {
    putObject(hash, own.array(), own.keyOffset(), own.keyLength(), own, 0);
    return own;
  }

  /** The bytes of a record in an arena, with its header; 0 for one that is too large for it. */
  public static int bytesInArena(int keyLength, int valueLength, long expireAtMillis) {
    long length = Record.length(keyLength, valueLength, expireAtMillis);
    return keyLength <= Record.KEY_MAX && length <= Arena.BLOCK_MAX ? (int) length : 0;
  }

  /** Stores a record of these parts, as {@link #put(Object)} does; {@code hash} is its key's. */
  public Record put(
      long hash,
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      long expireAtMillis,
      int access) {
    int bytes = bytesInArena(keyLength, valueLength, expireAtMillis);
    Segment segment = directory.withRoom(hash);
    int[] unused = segment.withRecords();
    int at = segment.locate(hash, key, keyOffset, keyLength);
    int old = at < 0 ? 0 : segment.address(at);
    int address = bytes == 0 ? 0 : old != 0 && fits(old, bytes) ? old : arena.allocate(bytes);
    if (address == 0) {
      Record own =
          Record.of(key, keyOffset, keyLength, value, valueOffset, valueLength, expireAtMillis);
      own.access(access);
      return putLarge(hash, own);
    }
    byte[] chunk = arena.chunk(address);
    int to = Record.begin(chunk, Arena.offset(address), bytes, keyLength, expireAtMillis, access);
    System.arraycopy(key, keyOffset, chunk, to, keyLength);
    System.arraycopy(value, valueOffset, chunk, to + keyLength, valueLength);
    assert views.dropAll();
    if (at < 0) {
      at = segment.take(hash);
      size++;
      segment.fill(at, address, 0);
    } else if (address != old) {
      forget(segment, at);
      segment.fill(at, address, 0);
    }
    if (old != address && arena.isSparse()) {
      mover.moveSome();
      address = segment.address(at);
    }
    return views.next().move(address);
  }

  /**
   * Makes room for a record of {@code bytes} with its header. After that, {@link #put} needs no
   * more memory.
   */
  public void reserve(long hash, int bytes) {
    int[] unused = directory.withRoom(hash).withRecords();
    arena.reserve(bytes);
  }

  /** Makes room for a slot, as {@link #reserve(long, int)} does. */
  public void reserve(long hash, Object slot) {
    int bytes =
        slot instanceof Record record
            ? bytesInArena(record.keyLength(), record.valueLength(), record.expireAtMillis())
            : 0;
    if (bytes > 0) {
      reserve(hash, bytes);
    } else {
      @Nullable Object[] unused = directory.withRoom(hash).withObjects();
      arena.reserve(0);
    }
  }

  /** Whether a record of that length can take the block of the one at an address. */
  private boolean fits(int address, int bytes) {
    int present = Record.length(arena.chunk(address), Arena.offset(address));
    return Arena.blockSize(present) == Arena.blockSize(bytes);
  }

  private void free(int address) {
    arena.free(address, Record.length(arena.chunk(address), Arena.offset(address)));
  }

  private void putObject(long hash, byte[] key, int offset, int length, Object object, long time) {
    Segment segment = directory.withRoom(hash);
    @Nullable Object[] unused = segment.withObjects();
    int at = placeOf(segment, hash, key, offset, length);
    assert views.dropAll();
    segment.fill(at, object, time);
    objectBytes += HeapArray.keyedBytes(object);
  }

  /** The place for a new slot: that of the present one, which is given up, or another one. */
  private int placeOf(Segment segment, long hash, byte[] key, int offset, int length) {
    int at = segment.locate(hash, key, offset, length);
    if (at >= 0) {
      forget(segment, at);
      return at;
    }
    size++;
    return segment.take(hash);
  }

  /** Gives up what the entry at an index refers to, and vacates its place. */
  private void forget(Segment segment, int at) {
    int address = segment.address(at);
    if (address == 0) objectBytes -= HeapArray.keyedBytes(segment.slot(at, views.next()));
    else if (!isShared) free(address);
    segment.vacate(at);
  }

  /**
   * Inserts a slot of the table that shares its records with this one, or gives it another time.
   */
  void share(Object slot, long time) {
    int address = slot instanceof Record record ? record.address() : 0;
    byte[] array = slot instanceof Record record ? record.array() : ((Keyed) slot).key();
    int offset = slot instanceof Record record ? record.keyOffset() : 0;
    int length = slot instanceof Record record ? record.keyLength() : array.length;
    long hash = hash(array, offset, length);
    if (address == 0) {
      putObject(hash, array, offset, length, slot, time);
      return;
    }
    Segment segment = directory.withRoom(hash);
    int[] unused = segment.withRecords();
    segment.fill(placeOf(segment, hash, array, offset, length), address, time);
  }

  /** Removes a key; returns whether it was there. */
  public boolean remove(byte[] key, int offset, int length) {
    return remove(hash(key, offset, length), key, offset, length);
  }

  public boolean remove(long hash, byte[] key, int offset, int length) {
    Segment segment = directory.of(hash);
    int at = segment.locate(hash, key, offset, length);
    if (at < 0) return false;
    assert views.dropAll();
    forget(segment, at);
    segment.remove(at);
    size--;
    directory.shrink(segment, hash);
    if (!isShared && arena.isSparse()) mover.moveSome();
    return true;
  }

  public boolean remove(byte[] key) {
    return remove(key, 0, key.length);
  }

  public void clear() {
    directory.clear();
    size = 0;
    objectBytes = 0;
    if (!isShared) arena.clear();
  }

  /** The approximate size of the table on the heap, with its slots and the memory between them. */
  public long heapBytes() {
    return tableBytes() + objectBytes + arena.chunkBytes();
  }

  /** The bytes of the arena that no record uses. */
  public long unusedBytes() {
    return arena.chunkBytes() - arena.usedBytes();
  }

  /**
   * The approximate size of the table without its slots: a reference, a tag and perhaps a time for
   * each, at two thirds full.
   */
  public long tableBytes() {
    return 64 + 4L * directory.segments().length + (hasTimes ? 20L : 8L) * size;
  }

  /** A slot drawn at random, all with about the same probability; null from an empty table. */
  public @Nullable Object random(RandomGenerator random) {
    if (size == 0) return null;
    Segment[] segments = directory.segments();
    for (int tries = 0; tries < 256; tries++) {
      int i = random.nextInt(segments.length);
      Segment segment = segments[i];
      if (i > 0 && segments[i - 1] == segment) continue;
      int at = random.nextInt(segment.capacity());
      if (segment.has(at)) return segment.slot(at, views.next());
    }
    return firstFrom(segments, random);
  }

  private @Nullable Object firstFrom(Segment[] segments, RandomGenerator random) {
    int start = random.nextInt(segments.length);
    for (int i = 0; i < segments.length; i++) {
      Segment segment = segments[(start + i) % segments.length];
      int from = random.nextInt(segment.capacity());
      for (int j = 0; j < segment.capacity(); j++) {
        int at = (from + j) % segment.capacity();
        if (segment.has(at)) return segment.slot(at, views.next());
      }
    }
    return null;
  }

  /**
   * Visits the entries of the group at the cursor; 0 begins. Returns the next cursor, 0 after the
   * last group. An entry that is in the table during the whole scan is visited exactly once.
   *
   * @param isWanted may be asked about other entries than those of the group; only the keys of
   *     those that it wants are hashed
   */
  public long scan(long cursor, Predicate<Object> isWanted, Consumer<Object> visitor) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory.of(from);
    int home = segment.home(from);
    segment.visitGroup(
        home,
        Record.view(arena),
        slot -> {
          if (!isWanted.test(slot)) return;
          long hash = hashOf(slot);
          boolean isAhead = Long.compareUnsigned(hash >>> CURSOR_SHIFT, cursor) >= 0;
          if (isAhead && segment.home(hash) == home) visitor.accept(slot);
        });
    return cursorAfter(segment, from, 1);
  }

  /** The number of entries stored in the group at the cursor; a whole scan meets each once. */
  public int countAt(long cursor) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory.of(from);
    return segment.count(segment.home(from));
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
    Segment segment = directory.of(from);
    segment.visitSlots(segment.home(from), Record.view(arena), visitor);
    return cursorAfter(segment, from, 1);
  }

  /**
   * Adds the keys of entries whose time is at most {@code latest} to {@code due}, from the cursor
   * to the end of its segment or until {@code due} has {@code dueMax} keys; 0 begins. Returns the
   * next cursor, 0 after the last segment. Reads only the times, one after the other, and the keys
   * that are due.
   */
  long sweepDue(long cursor, long latest, int dueMax, List<byte[]> due) {
    long from = cursor << CURSOR_SHIFT;
    Segment segment = directory.of(from);
    int group = segment.home(from);
    int next = segment.collectDue(group, latest, dueMax, Record.view(arena), due);
    return cursorAfter(segment, from, next - group);
  }

  /**
   * Visits entries until no more are wanted; up to eight more may be visited. The visitor must not
   * change the table.
   */
  public void forEachWhile(BooleanSupplier wantsMore, Consumer<Object> visitor) {
    Record view = Record.view(arena);
    Segment last = null;
    for (Segment segment : directory.segments()) {
      if (segment == last) continue;
      last = segment;
      for (int group = 0; group < segment.capacity() / Segment.GROUP; group++) {
        if (!wantsMore.getAsBoolean()) return;
        segment.visitSlots(group, view, visitor);
      }
    }
  }

  /** Visits every entry; the visitor must not change the table. */
  public void forEach(Consumer<Object> visitor) {
    Record view = Record.view(arena);
    Segment last = null;
    for (Segment segment : directory.segments()) {
      if (segment == last) continue;
      last = segment;
      for (int at = 0; at < segment.capacity(); at++) {
        if (segment.has(at)) visitor.accept(segment.slot(at, view));
      }
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
    Segment[] segments = directory.segments();
    int shift = Integer.numberOfLeadingZeros(segments.length) + 32;
    int sink = 0;
    for (int i = 0; i < count; i++) {
      sink += segments[(int) (hashes[i] >>> 1 >>> shift)].touchTags(hashes[i]);
    }
    int found = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[i];
      Segment segment = segments[(int) (hash >>> 1 >>> shift)];
      int at = segment.candidate(hash);
      if (at < 0) continue;
      sink += segment.address(at);
      hashes[found++] = hash;
    }
    for (int i = 0; i < found; i++) {
      Segment segment = segments[(int) (hashes[i] >>> 1 >>> shift)];
      int at = segment.candidate(hashes[i]);
      if (at >= 0) sink += segment.touchEntry(at);
    }
    return sink;
  }

  /**
   * Loads the places where new slots of these hashes belong, so that {@link #put} finds them in the
   * cache. Loads all tags first, then all slots, for the same reasons as {@link #touch}.
   */
  public int touchPlaces(long[] hashes, int count) {
    int sink = 0;
    for (int i = 0; i < count; i++) sink += directory.of(hashes[i]).touchTags(hashes[i]);
    for (int i = 0; i < count; i++) sink += directory.of(hashes[i]).touchSlots(hashes[i]);
    return sink;
  }

  /** The hash by which this table files a slot. */
  public long hashOf(Object slot) {
    if (slot instanceof Record record) {
      return hash(record.array(), record.keyOffset(), record.keyLength());
    }
    byte[] key = ((Keyed) slot).key();
    return hash(key, 0, key.length);
  }

  /** The key of a slot: a copy, or the array of an object, which does not change. */
  public static byte[] keyOf(Object slot) {
    return slot instanceof Record record ? record.key() : ((Keyed) slot).key();
  }

  /**
   * The entries of a table that another table has, or has not. It takes some groups at a time:
   * first it finds where the other table has the keys, then it compares them, so that the loads of
   * keys overlap.
   *
   * <p>Tables with one seed have their entries in one order. The place of an entry is the beginning
   * of its hash, and its tag the end, which most often is all that the other table needs.
   */
  static final class Comparison {

    /** Groups at a time. */
    private static final int GROUPS = 4;

    private final Dict table;
    private final Dict other;
    private final boolean isWanted;
    private final long[] hashes = new long[GROUPS * Segment.GROUP];
    private final int[] places = new int[GROUPS * Segment.GROUP];
    private final int[] candidates = new int[GROUPS * Segment.GROUP];

    /** For the entries of {@code table} whose keys {@code other} has, or has not. */
    Comparison(Dict table, Dict other, boolean isWanted) {
      this.table = table;
      this.other = other;
      this.isWanted = isWanted;
    }

    /**
     * Visits entries until no more are wanted; up to 32 more may be visited. The visitor must not
     * change the tables.
     */
    void forEachWhile(BooleanSupplier wantsMore, Consumer<Object> visitor) {
      Record view = Record.view(table.arena);
      Segment[] segments = table.directory.segments();
      int shift = Integer.numberOfLeadingZeros(segments.length) + 33;
      Segment last = null;
      for (int i = 0; i < segments.length; i++) {
        Segment segment = segments[i];
        if (segment == last) continue;
        last = segment;
        long prefix = segments.length == 1 ? 0 : (long) i << shift;
        int groups = segment.capacity() / Segment.GROUP;
        for (int group = 0; group < groups; group += GROUPS) {
          if (!wantsMore.getAsBoolean()) return;
          visitGroups(segment, group, Math.min(group + GROUPS, groups), prefix, view, visitor);
        }
      }
    }

    private void visitGroups(
        Segment segment, int group, int end, long prefix, Record view, Consumer<Object> visitor) {
      int count = segment.collect(group, end, prefix, places, hashes);
      boolean isPlaced = isPlaced(segment, prefix);
      if (!isPlaced) {
        for (int i = 0; i < count; i++) hashes[i] = other.hashOf(segment.slot(places[i], view));
      }
      Directory directory = other.directory;
      for (int i = 0; i < count; i++) {
        candidates[i] = directory.of(hashes[i]).candidate(hashes[i]);
      }
      for (int i = 0; i < count; i++) {
        int candidate = candidates[i];
        boolean isFound =
            candidate >= 0 && directory.of(hashes[i]).hasKeyOf(candidate, segment, places[i]);
        if (!isFound) candidates[i] = -1;
      }
      for (int i = 0; i < count; i++) {
        boolean has = candidates[i] >= 0;
        if (!has) {
          boolean isExact = !isPlaced || segment.isHome(places[i]);
          boolean isAbsent = isExact && directory.of(hashes[i]).isAbsent(hashes[i]);
          has = !isAbsent && has(segment.slot(places[i], view));
        }
        if (has == isWanted) visitor.accept(segment.slot(places[i], view));
      }
    }

    /** Whether the place of an entry of a segment says enough of its hash for the other table. */
    private boolean isPlaced(Segment segment, long prefix) {
      Segment there = other.directory.of(prefix);
      return table.seed == other.seed
          && there.depth <= segment.depth
          && there.depth + there.groupBits <= segment.depth + segment.groupBits;
    }

    private boolean has(Object slot) {
      if (slot instanceof Record record) {
        return other.has(record.array(), record.keyOffset(), record.keyLength());
      }
      byte[] key = ((Keyed) slot).key();
      return other.has(key, 0, key.length);
    }
  }

  /**
   * The views that lookups return in turn. With assertions on, a lookup makes the view fail that it
   * takes over, and a change makes all fail.
   */
  private static final class Views {

    private static final int COUNT = 4;

    private final Arena arena;
    private final @Nullable Record[] views = new Record[COUNT];
    private int last;

    Views(Arena arena) {
      this.arena = arena;
    }

    Record next() {
      int next = last + 1 & COUNT - 1;
      last = next;
      assert drop(next);
      Record view = views[next];
      if (view == null) views[next] = view = Record.view(arena);
      return view;
    }

    private boolean drop(int i) {
      Record view = views[i];
      if (view != null) view.release();
      Arrays.fill(views, i, i + 1, null);
      return true;
    }

    boolean dropAll() {
      for (int i = 0; i < COUNT; i++) assert drop(i);
      return true;
    }
  }

  /** Moves records out of the emptiest chunk of the arena, so that it can be given back. */
  private final class Mover {

    /** 2: a release costs at most about 0.2 microseconds more while much memory is unused. */
    private static final int MOVES = 2;

    /** The directory of the table that shares the records, if any. */
    private @Nullable Directory sharer;

    /** Moves some records. Does nothing while there is no room for them without a new chunk. */
    void moveSome() {
      for (int i = 0; i < MOVES; i++) {
        int address = arena.nextToMove();
        if (address == 0 || !move(address)) return;
      }
    }

    private boolean move(int old) {
      byte[] from = arena.chunk(old);
      int place = Arena.offset(old);
      int length = Record.length(from, place);
      if (!arena.hasRoom(length)) return false;
      int address = arena.allocate(length);
      Record.copy(from, place, arena.chunk(address), Arena.offset(address), length);
      int key = Record.keyOffset(from, place);
      int keyLength = Record.keyLength(from, place);
      long hash = hash(from, key, keyLength);
      if (sharer != null) sharer.readdress(hash, from, key, keyLength, address);
      directory.readdress(hash, from, key, keyLength, address);
      arena.free(old, length);
      return true;
    }
  }
}
