package dev.kermes.server.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set. A small one is a {@link ListPack} of alternating members and scores, in order.
 * Beyond zset-max-listpack-entries or -value it is a {@link SkipList} whose nodes a {@link Dict}
 * finds by member.
 *
 * <pre>
 *   listpack    |member|score|member|score|…|   score: an integer, or a string of 8 bytes of double
 *   skiplist    |a 1| -> |b 1.5| -> |c 7|         member -> node
 * </pre>
 *
 * All ranges, by rank, score or bytes, are ranges of ranks: count the members before the boundary,
 * then walk from that rank. A list keeps the place where it has counted, so the walk starts there.
 */
public final class RedisSortedSet extends Value {

  /** Receives members in order; the slice is valid during the call only. */
  @FunctionalInterface
  public interface MemberVisitor {

    void visit(byte[] array, int offset, int length, double score);
  }

  /**
   * Receives those members in order whose scores it wants, until it is full. Their slices are valid
   * until the set changes.
   */
  public interface ScoreSearch extends MemberVisitor {

    /** The score itself, or a greater one if it wants none between them. */
    double from(double score);

    /** Whether a member with that score is to be visited, which then follows at once. */
    boolean wants(double score);

    boolean isFull();
  }

  /** Members that follow each other: the rank of the first one and their number. */
  public record Ranks(long first, long count) {}

  private static final int PAIR = 2;

  /** 64 KiB: the most room for a pack whose exact size is not known yet. */
  private static final int ROOM_MAX = 1 << 16;

  /** 2^53: integers up to here are exact as doubles. */
  private static final double INTEGER_MAX = 9007199254740992d;

  private final long hashSeed;
  private @Nullable ListPack pack;
  private @Nullable Large large;

  /** The two structures of the large form. */
  private record Large(SkipList list, Dict members) {

    Large(long hashSeed) {
      this(new SkipList(hashSeed), new Dict(hashSeed));
    }

    void insert(double score, byte[] member) {
      Object unused = members.put(list.insert(score, member));
    }

    /** Adds a member after all others. */
    void append(double score, byte[] member) {
      Object unused = members.put(list.append(score, member));
    }

    SkipList.@Nullable Node find(Slice member) {
      return (SkipList.Node) members.find(member.array(), member.offset(), member.length());
    }
  }

  /**
   * Finds members that most likely come in the order of the set: it looks first at the one after
   * the last that was found, without a hash. It no longer does so when that has often failed.
   */
  private static final class Following {

    /** 16: about as many as a lookup in the table is worth. */
    private static final int FAILURES_MAX = 16;

    private final Large large;
    private SkipList.@Nullable Node next;
    private int failures;

    Following(Large large) {
      this.large = large;
      next = large.list.first();
    }

    double score(Slice member) {
      SkipList.Node node = next;
      if (failures >= FAILURES_MAX) {
        node = large.find(member);
      } else if (node == null || !member.equals(node.key(), 0, node.key().length)) {
        node = large.find(member);
        failures++;
      } else {
        failures = 0;
      }
      if (node == null) return Double.NaN;
      if (failures < FAILURES_MAX) next = node.next();
      return node.score();
    }
  }

  public RedisSortedSet(long hashSeed) {
    this(hashSeed, new ListPack());
  }

  private RedisSortedSet(long hashSeed, @Nullable ListPack pack) {
    this.hashSeed = hashSeed;
    this.pack = pack;
  }

  /** Builds a set of few members that come one by one. */
  public static final class Builder {

    /** 22: a short member with its length and its score. */
    private static final int LIKELY_BYTES = 22;

    private static final VarHandle DOUBLE =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    private final ListPack room;
    private final EncodingLimits limits;
    private final long hashSeed;
    private final PackEntry.Distinct members;
    private boolean isTwice;
    private int last = ListPack.NONE;
    private double lastScore = Double.NEGATIVE_INFINITY;

    /** All members if some came out of order or did not fit in {@code room}. */
    private @Nullable ScoredMembers unordered;

    /**
     * For {@code count} members, at most zset-max-listpack-entries, that have up to {@code bytes}
     * bytes with their lengths and scores. They are packed in {@code room}.
     */
    public Builder(int count, long bytes, ListPack room, EncodingLimits limits, long hashSeed) {
      this.room = room;
      this.limits = limits;
      this.hashSeed = hashSeed;
      members = new PackEntry.Distinct(count);
      room.clear();
      room.expect(PAIR * count, Math.min(bytes, (long) count * LIKELY_BYTES));
    }

    /** Adds a member, whose bytes must not change until the set is built. */
    public void add(Slice member, double score) {
      byte[] array = member.array();
      int offset = member.offset();
      int length = member.length();
      if (unordered == null) {
        if (fits(length) && isNext(array, offset, length, score)) {
          append(array, offset, length, score);
          return;
        }
        unordered = new ScoredMembers(hashSeed);
        new RedisSortedSet(hashSeed, room.copy()).forEach(unordered::add);
      }
      unordered.add(array, offset, length, score);
    }

    /**
     * Adds some of the members that a dump begins with, up to {@code most}, if they are short
     * strings and their scores rise. Moves the dump past them and returns their number. Any member
     * may be left for {@link #add}.
     *
     * @param dump each member after its length, which is in one byte if it is short, and before its
     *     score
     */
    public int addShort(Slice dump, int most) {
      boolean mayBeLong = limits.zsetMaxListpackValue() >= PackEntry.SHORT_MAX;
      if (!mayBeLong || unordered != null || !room.hasRoomFor(2L * dump.length())) return 0;
      byte[] array = dump.array();
      int at = dump.offset();
      int to = at + dump.length();
      int length = PackEntry.NO_LENGTH;
      int added = 0;
      for (; added < most && at < to; added++) {
        if (array[at] != length) {
          length = array[at];
          if (!PackEntry.isShort(length)) break;
        }
        int scoreAt = at + 1 + length;
        int next = scoreAt + Double.BYTES;
        if (next > to || PackEntry.mayBeLong(array[at + 1])) break;
        double score = (double) DOUBLE.get(array, scoreAt);
        if (!(score > lastScore)) break; // or it is not a number
        int end = room.end();
        room.appendShort(array, at + 1, length);
        if (!members.take(room.array(), end, PackEntry.Distinct.rank(array, at + 1, length))) {
          room.dropLast(end);
          break;
        }
        last = end;
        lastScore = score;
        long whole = (long) score;
        // insertScore is never inlined (decision 27): a call for each member.
        if (whole == score && PackEntry.isOneByte(whole)) room.append(whole);
        else insertScore(room, ListPack.NONE, score);
        at = next;
      }
      dump.wrap(array, at, to - at);
      return added;
    }

    private boolean fits(int length) {
      return length <= limits.zsetMaxListpackValue()
          && room.hasRoomFor((long) length + PAIR * ListPack.ENTRY_OVERHEAD_MAX);
    }

    private boolean isNext(byte[] array, int offset, int length, double score) {
      if (score != lastScore || last == ListPack.NONE) return score >= lastScore;
      return room.compare(last, array, offset, length) < 0;
    }

    private void append(byte[] array, int offset, int length, double score) {
      last = room.end();
      lastScore = score;
      room.append(array, offset, length);
      isTwice |= !members.add(room.array(), last);
      insertScore(room, ListPack.NONE, score);
    }

    /** The set, or null if a member came twice. */
    public @Nullable RedisSortedSet build() {
      if (unordered != null) return of(unordered.sorted(), limits, hashSeed);
      return isTwice ? null : new RedisSortedSet(hashSeed, room.take());
    }
  }

  /**
   * Builds a set of a pack's alternating members and scores, using {@code room}. Null if it is not
   * small, or the pack is not in order, or has a score that is not as plain as Redis writes it.
   */
  public static @Nullable RedisSortedSet ofOrdered(
      ListPack pairs, ListPack room, EncodingLimits limits, long hashSeed) {
    boolean isSmall =
        pairs.size() / PAIR <= limits.zsetMaxListpackEntries()
            && pairs.longestText(PAIR) <= limits.zsetMaxListpackValue();
    if (!isSmall || !pairs.isDistinct(PAIR)) return null;
    room.clear();
    int last = ListPack.NONE;
    double lastScore = Double.NEGATIVE_INFINITY;
    for (int at = pairs.first(); at != ListPack.NONE; at = nextMember(pairs, at)) {
      double score = pairs.plainDouble(pairs.next(at));
      boolean isTie = score == lastScore && last != ListPack.NONE;
      boolean isNext = isTie ? pairs.compare(last, pairs, at) < 0 : score >= lastScore;
      if (!isNext) return null; // or the score is not a number
      room.append(pairs, at);
      insertScore(room, ListPack.NONE, score);
      last = at;
      lastScore = score;
    }
    return new RedisSortedSet(hashSeed, room.copy());
  }

  /** Builds a set of members in order; null if one comes twice. */
  public static @Nullable RedisSortedSet of(
      ScoredMembers sorted, EncodingLimits limits, long hashSeed) {
    RedisSortedSet set = new RedisSortedSet(hashSeed);
    boolean isSmall =
        sorted.size() <= limits.zsetMaxListpackEntries()
            && sorted.longest() <= limits.zsetMaxListpackValue();
    if (isSmall) return packed(set, sorted) ? set : null;
    Large filled = new Large(hashSeed);
    filled.members.expect(sorted.size());
    sorted.forEach((array, offset, length, score) ->
        filled.append(score, Arrays.copyOfRange(array, offset, offset + length)));
    set.large = filled;
    set.pack = null;
    return filled.members.size() == sorted.size() ? set : null;
  }

  private static boolean packed(RedisSortedSet set, ScoredMembers sorted) {
    long bytes = (long) sorted.size() * (sorted.longest() + PAIR * ListPack.ENTRY_OVERHEAD_MAX);
    ListPack room = new ListPack((int) Math.min(bytes, ROOM_MAX));
    sorted.forEach((array, offset, length, score) -> {
      room.append(array, offset, length);
      insertScore(room, ListPack.NONE, score);
    });
    set.pack = room.copy();
    return room.isDistinct(PAIR);
  }

  @Override
  public String type() {
    return "zset";
  }

  @Override
  public String encoding() {
    return pack != null ? "listpack" : "skiplist";
  }

  @Override
  public long size() {
    return pack != null ? pack.size() / PAIR : large().list.size();
  }

  @Override
  public long contentBytes() {
    return pack != null ? pack.heapBytes() : large().list.heapBytes() + large().members.heapBytes();
  }

  @Override
  public RedisSortedSet copy() {
    RedisSortedSet copy = new RedisSortedSet(hashSeed, pack == null ? null : pack.copy());
    copy.large = pack == null ? largeOf(this, (int) size()) : null;
    return copy;
  }

  /**
   * The large form of a set's members; those of a large set are shared, since they never change.
   */
  private static Large largeOf(RedisSortedSet source, int expected) {
    Large result = new Large(source.hashSeed);
    result.members.expect(expected);
    boolean isShared = source.pack == null;
    source.forEach((array, offset, length, score) ->
        result.append(
            score, isShared ? array : Arrays.copyOfRange(array, offset, offset + length)));
    return result;
  }

  private Large large() {
    Large there = large;
    if (there == null) throw new IllegalStateException("sorted set without a form");
    return there;
  }

  // Reading

  /** The member's score, or NaN (which no member has) if it is not in the set. */
  public double score(Slice member) {
    if (pack != null) {
      int at = find(pack, member);
      return at == ListPack.NONE ? Double.NaN : packedScore(pack, at);
    }
    SkipList.Node node = large().find(member);
    return node == null ? Double.NaN : node.score();
  }

  /** The same as {@link #score} for that many members, valid until the next change. */
  public ToDoubleFunction<Slice> scores(long members) {
    ListPack packed = pack;
    if (packed == null) return new Following(large())::score;
    if (members < ListPack.TABLE_MIN) return this::score;
    ToIntFunction<Slice> positions = packed.table(PAIR);
    return member -> {
      int at = positions.applyAsInt(member);
      return at == ListPack.NONE ? Double.NaN : packedScore(packed, at);
    };
  }

  private static int find(ListPack pack, Slice member) {
    return pack.find(member.array(), member.offset(), member.length(), PAIR);
  }

  private static double packedScore(ListPack pack, int member) {
    return score(pack, pack.next(member));
  }

  private static double score(ListPack pack, int at) {
    return pack.isInteger(at) ? pack.integer(at) : Double.longBitsToDouble(pack.raw(at));
  }

  /** The member's rank from the lowest score, or -1. */
  public long rank(Slice member) {
    if (pack == null) {
      SkipList.Node node = large().find(member);
      return node == null ? -1 : large().list.rank(node);
    }
    int rank = 0;
    for (int at = pack.first(); at != ListPack.NONE; at = nextMember(pack, at)) {
      if (pack.equals(at, member.array(), member.offset(), member.length())) return rank;
      rank++;
    }
    return -1;
  }

  private static int nextMember(ListPack pack, int at) {
    return pack.next(pack.next(at));
  }

  private static int previousMember(ListPack pack, int at) {
    int score = pack.previous(at);
    return score == ListPack.NONE ? score : pack.previous(score);
  }

  /** The members between two boundaries. O(log n), O(n) for a small set. */
  public Ranks between(SkipList.Boundary below, SkipList.Boundary upTo) {
    if (pack == null) {
      SkipList list = large().list;
      return new Ranks(list.find(below), list.countUpTo(upTo));
    }
    int size = pack.size() / PAIR;
    if (size == 0 || isBefore(pack, pack.seek(-PAIR), below)) return new Ranks(size, 0);
    int from = 0;
    int at = pack.first();
    for (; isBefore(pack, at, below); at = nextMember(pack, at)) from++;
    if (isBefore(pack, pack.seek(-PAIR), upTo)) return new Ranks(from, size - from);
    int count = 0;
    for (; isBefore(pack, at, upTo); at = nextMember(pack, at)) count++;
    return new Ranks(from, count);
  }

  private static boolean isBefore(ListPack pack, int at, SkipList.Boundary boundary) {
    double score = packedScore(pack, at);
    if (pack.isInteger(at)) {
      byte[] text = pack.get(at);
      return boundary.isAfter(score, text, 0, text.length);
    }
    return boundary.isAfter(score, pack.array(), pack.stringOffset(at), pack.textLength(at));
  }

  public void forEach(MemberVisitor visitor) {
    forEach(0, size(), visitor);
  }

  /** Visits the members of {@code count} ranks from {@code rank} on, upwards. */
  public void forEach(long rank, long count, MemberVisitor visitor) {
    if (pack == null) {
      SkipList.Node node = large().list.get(rank);
      for (; node != null && count > 0; count--) {
        visit(node, visitor);
        node = node.next();
      }
      return;
    }
    int at = pack.seek(rank * PAIR);
    for (; at != ListPack.NONE && count > 0; count--) {
      visit(pack, at, visitor);
      at = nextMember(pack, at);
    }
  }

  /** Visits the members of {@code count} ranks from {@code rank} on, downwards. */
  public void forEachDown(long rank, long count, MemberVisitor visitor) {
    if (pack == null) {
      SkipList.Node node = large().list.get(rank);
      for (; node != null && count > 0; count--) {
        visit(node, visitor);
        node = node.previous();
      }
      return;
    }
    int at = rank < 0 ? ListPack.NONE : pack.seek(rank * PAIR);
    for (; at != ListPack.NONE && count > 0; count--) {
      visit(pack, at, visitor);
      at = previousMember(pack, at);
    }
  }

  /**
   * Searches ranges of scores, one after the other; each has its minimum but not its maximum. The
   * bytes of a member are not touched before its score is wanted: each would be a cache miss.
   */
  public void search(List<ScoreRange> ranges, ScoreSearch search) {
    if (pack != null) {
      searchPack(pack, ranges, search);
      return;
    }
    for (ScoreRange range : ranges) {
      double min = search.from(range.min());
      if (min < range.max()) searchList(large().list, min, range.max(), search);
    }
  }

  private static void searchList(SkipList list, double min, double end, ScoreSearch search) {
    SkipList.Node node = list.firstFrom(min);
    while (node != null && node.score() < end && !search.isFull()) {
      double from = search.from(node.score());
      if (from >= end) return;
      if (from > node.score()) {
        node = firstFrom(list, node, from);
      } else {
        if (search.wants(node.score())) visit(node, search);
        node = node.next();
      }
    }
  }

  /** The first node from a score on, which is after the given one and mostly near. */
  private static SkipList.@Nullable Node firstFrom(
      SkipList list, SkipList.Node before, double score) {
    SkipList.Node node = before.next();
    for (int i = 0; i < SkipList.NEAR && node != null; i++) {
      if (node.score() >= score) return node;
      node = node.next();
    }
    return node == null ? null : list.firstFrom(score);
  }

  /** Walks through the pack once, since few of its members may be wanted in any range. */
  private static void searchPack(ListPack pack, List<ScoreRange> ranges, ScoreSearch search) {
    int[] members = new int[pack.size() / PAIR];
    double[] scores = new double[members.length];
    int count = 0;
    for (int at = pack.first(); at != ListPack.NONE; ) {
      int scoreAt = pack.next(at);
      double score = score(pack, scoreAt);
      members[count] = at;
      scores[count] = score;
      if (search.from(score) == score) count++;
      at = pack.next(scoreAt);
    }
    for (ScoreRange range : ranges) {
      for (int i = 0; i < count; i++) {
        boolean isWithin = scores[i] >= range.min() && scores[i] < range.max();
        if (isWithin && !search.isFull() && search.wants(scores[i])) {
          visit(pack, members[i], search);
        }
      }
    }
  }

  private static void visit(SkipList.Node node, MemberVisitor visitor) {
    visitor.visit(node.key(), 0, node.key().length, node.score());
  }

  private static void visit(ListPack pack, int at, MemberVisitor visitor) {
    double score = packedScore(pack, at);
    if (pack.isInteger(at)) {
      byte[] text = pack.get(at);
      visitor.visit(text, 0, text.length, score);
    } else {
      visitor.visit(pack.array(), pack.stringOffset(at), pack.textLength(at), score);
    }
  }

  /** Does one step of ZSCAN; a small set is one step. Returns the next cursor, 0 at the end. */
  public long scan(long cursor, MemberVisitor visitor) {
    if (pack == null) {
      return large()
          .members
          .scan(cursor, slot -> true, slot -> visit((SkipList.Node) slot, visitor));
    }
    forEach(visitor);
    return 0;
  }

  /** Visits a member chosen at random; the set must not be empty. */
  public void random(RandomGenerator random, MemberVisitor visitor) {
    forEach(random.nextLong(size()), 1, visitor);
  }

  // Changing

  /**
   * Announces the number of members that may follow, and changes to the form that can hold them.
   */
  public void growing(int members, EncodingLimits limits) {
    if (pack == null || members <= limits.zsetMaxListpackEntries()) return;
    large = largeOf(this, members);
    pack = null;
  }

  /** Adds a member; false if it already exists. The score must not be NaN. */
  public boolean add(Slice member, double score, EncodingLimits limits) {
    if (pack != null) {
      if (find(pack, member) != ListPack.NONE) return false;
      addPacked(pack, member, score, limits);
      return true;
    }
    if (large().find(member) != null) return false;
    large().insert(score, member.copy());
    return true;
  }

  /** Adds a member, or gives it another score, which must not be NaN. */
  public void put(Slice member, double score, EncodingLimits limits) {
    update(member, old -> score, limits);
  }

  /**
   * Adds a member, or gives it another score: what the operator returns for the present score, NaN
   * for a missing member. If the operator returns NaN, nothing changes.
   */
  public void update(Slice member, DoubleUnaryOperator scoreFor, EncodingLimits limits) {
    if (pack != null) {
      updatePacked(pack, member, scoreFor, limits);
      return;
    }
    SkipList.Node node = large().find(member);
    double score = scoreFor.applyAsDouble(node == null ? Double.NaN : node.score());
    if (Double.isNaN(score)) return;
    if (node != null) large().list.score(node, score);
    else large().insert(score, member.copy());
  }

  private void updatePacked(
      ListPack small, Slice member, DoubleUnaryOperator scoreFor, EncodingLimits limits) {
    int at = find(small, member);
    double old = at == ListPack.NONE ? Double.NaN : packedScore(small, at);
    double score = scoreFor.applyAsDouble(old);
    if (Double.isNaN(score) || score == old) return;
    if (at == ListPack.NONE) {
      addPacked(small, member, score, limits);
    } else {
      int unused = small.delete(at, PAIR);
      insertPacked(small, member, score);
    }
  }

  private void addPacked(ListPack small, Slice member, double score, EncodingLimits limits) {
    if (small.size() / PAIR < limits.zsetMaxListpackEntries()
        && member.length() <= limits.zsetMaxListpackValue()
        && small.hasRoomFor(member.length())) {
      insertPacked(small, member, score);
      return;
    }
    Large grown = largeOf(this, (int) size());
    grown.insert(score, member.copy());
    large = grown;
    pack = null;
  }

  private static void insertPacked(ListPack pack, Slice element, double score) {
    byte[] array = element.array();
    int offset = element.offset();
    int length = element.length();
    boolean isLast =
        pack.size() == 0 || isBefore(pack, pack.seek(-PAIR), score, array, offset, length);
    int at = isLast ? ListPack.NONE : pack.first();
    while (at != ListPack.NONE && isBefore(pack, at, score, array, offset, length)) {
      at = nextMember(pack, at);
    }
    int member = pack.insert(at, array, offset, length);
    insertScore(pack, pack.next(member), score);
  }

  private static boolean isBefore(
      ListPack pack, int at, double score, byte[] array, int offset, int length) {
    double there = packedScore(pack, at);
    if (there != score) return there < score;
    return pack.compare(at, array, offset, length) < 0;
  }

  private static void insertScore(ListPack pack, int at, double score) {
    boolean integral = score == (long) score && Math.abs(score) <= INTEGER_MAX; // -0 becomes 0
    if (integral && at == ListPack.NONE) {
      pack.append((long) score);
      return;
    }
    int unused =
        integral
            ? pack.insert(at, (long) score)
            : pack.insertRaw(at, Double.doubleToRawLongBits(score));
  }

  /** Removes that many members, by their index; returns how many there were. */
  public int removeAll(int count, IntFunction<Slice> members) {
    if (count >= ListPack.TABLE_MIN && pack != null) return pack.removeAll(count, members, PAIR);
    int removed = 0;
    for (int i = 0; i < count; i++) if (remove(members.apply(i))) removed++;
    return removed;
  }

  /** Removes a member; returns whether it was in the set. */
  public boolean remove(Slice member) {
    if (pack == null) {
      SkipList.Node node = large().find(member);
      if (node == null) return false;
      boolean unused = large().members.remove(node.key());
      large().list.remove(node);
      return true;
    }
    int at = find(pack, member);
    if (at == ListPack.NONE) return false;
    int unused = pack.delete(at, PAIR);
    return true;
  }

  /** Removes the members of {@code count} ranks from {@code rank} on. O(log n + count). */
  public void removeRange(long rank, long count) {
    if (count <= 0) return;
    if (pack != null) {
      int unused = pack.delete(pack.seek(rank * PAIR), (int) count * PAIR);
      return;
    }
    SkipList.Node node = large().list.get(rank);
    for (; node != null && count > 0; count--) {
      SkipList.Node next = node.next();
      boolean unused = large().members.remove(node.key());
      large().list.remove(node);
      node = next;
    }
  }
}
