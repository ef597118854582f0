package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A set. A set of integers is an {@link IntSet} up to set-max-intset-entries; with other members it
 * is a {@link ListPack} up to set-max-listpack-entries and -value. A larger set is a {@link Dict}.
 *
 * <pre>
 *   intset      |-3|7|500|
 *   listpack    |a|7|c|
 *   hashtable   member -> |record: member|
 * </pre>
 */
public final class RedisSet extends Value {

  private static final byte[] NO_VALUE = {};

  /** Redis's bound for an intset, whatever the configuration. */
  private static final int INTSET_MAX = 1 << 30;

  /** 32: the comparison of two tables takes as many members at a time before it can stop. */
  private static final int COMPARED_MIN = 32;

  private final long hashSeed;

  /** An IntSet, a ListPack or a Dict. */
  private Object form;

  public RedisSet(long hashSeed) {
    this(hashSeed, new IntSet());
  }

  private RedisSet(long hashSeed, Object form) {
    this.hashSeed = hashSeed;
    this.form = form;
  }

  /** Builds a set of few members that come one by one. */
  public static final class Builder {

    /** 15: a short member with its length. */
    private static final int LIKELY_BYTES = 15;

    private final ListPack room;
    private final EncodingLimits limits;
    private final long hashSeed;
    private final PackEntry.Distinct members;

    /** The set if a member did not fit in {@code room} with those before it. */
    private @Nullable RedisSet unpacked;

    /**
     * For {@code count} members, at most set-max-listpack-entries, that have up to {@code bytes}
     * bytes with their lengths. They are packed in {@code room}.
     */
    public Builder(int count, long bytes, ListPack room, EncodingLimits limits, long hashSeed) {
      this.room = room;
      this.limits = limits;
      this.hashSeed = hashSeed;
      members = new PackEntry.Distinct(count);
      room.clear();
      room.expect(count, Math.min(bytes, (long) count * LIKELY_BYTES));
    }

    /** Adds a member; false if it is there already. */
    public boolean add(Slice member) {
      int length = member.length();
      if (unpacked != null) return unpacked.add(member, limits);
      if (length > limits.setMaxListpackValue() || !room.hasRoomFor(length)) {
        unpacked = unpacked();
        return unpacked.add(member, limits);
      }
      int at = room.end();
      room.append(member.array(), member.offset(), length);
      boolean isNew = members.add(room.array(), at);
      if (!isNew) room.dropLast(at);
      return isNew;
    }

    /**
     * Adds some of the members that a dump begins with, up to {@code most}, if they are short
     * strings. Moves the dump past them and returns their number. Any member may be left for {@link
     * #add}.
     *
     * @param dump each member after its length, which is in one byte if it is short
     */
    public int addShort(Slice dump, int most) {
      boolean mayBeLong = limits.setMaxListpackValue() >= PackEntry.SHORT_MAX;
      if (!mayBeLong || unpacked != null || !room.hasRoomFor(2L * dump.length())) return 0;
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
        int next = at + 1 + length;
        if (next > to || PackEntry.mayBeLong(array[at + 1])) break;
        int end = room.end();
        room.appendShort(array, at + 1, length);
        if (!members.take(room.array(), end, PackEntry.Distinct.rank(array, at + 1, length))) {
          room.dropLast(end);
          break;
        }
        at = next;
      }
      dump.wrap(array, at, to - at);
      return added;
    }

    private RedisSet unpacked() {
      return Objects.requireNonNull(added(room.size(), room::visitAll, limits, hashSeed));
    }

    public RedisSet build() {
      if (unpacked != null) return unpacked;
      return room.isAllIntegers() ? unpacked() : new RedisSet(hashSeed, room.take());
    }
  }

  /** Builds a set of elements, using {@code room}; null if a member comes twice. */
  public static @Nullable RedisSet of(
      Elements members, ListPack room, EncodingLimits limits, long hashSeed) {
    int count = members.count();
    if (count > limits.setMaxListpackEntries()) {
      return added(count, members::visitAll, limits, hashSeed);
    }
    Builder set = new Builder(count, Long.MAX_VALUE, room, limits, hashSeed);
    Slice member = new Slice();
    for (int i = 0; i < count; i++) {
      member.wrap(members.array(i), members.offset(i), members.length(i));
      if (!set.add(member)) return null;
    }
    return set.build();
  }

  /** Builds a set of a pack's elements, packed if they may be; null if a member comes twice. */
  public static @Nullable RedisSet of(ListPack members, EncodingLimits limits, long hashSeed) {
    return keeps(members, limits)
        ? packed(members, hashSeed)
        : added(members.size(), members::visitAll, limits, hashSeed);
  }

  private static @Nullable RedisSet packed(ListPack members, long hashSeed) {
    return members.isDistinct(1) ? new RedisSet(hashSeed, members.copy()) : null;
  }

  private static @Nullable RedisSet added(
      int count, Consumer<BytesVisitor> members, EncodingLimits limits, long hashSeed) {
    RedisSet set = new RedisSet(hashSeed);
    set.growing(count, limits);
    if (set.form instanceof Dict dict) {
      members.accept((array, offset, length) ->
          put(dict, dict.hash(array, offset, length), array, offset, length));
    } else {
      Slice member = new Slice();
      members.accept((array, offset, length) -> {
        boolean unused = set.add(member.wrap(array, offset, length), limits);
      });
    }
    return set.size() == count ? set : null;
  }

  /**
   * Builds a set from Redis's own form of an intset; null if it is malformed or exceeds the limit.
   */
  public static @Nullable RedisSet ofIntegers(byte[] form, EncodingLimits limits, long hashSeed) {
    IntSet integers = IntSet.ofRedis(form);
    if (integers == null || integers.size() > limits.setMaxIntsetEntries()) return null;
    return new RedisSet(hashSeed, integers);
  }

  private static boolean keeps(ListPack members, EncodingLimits limits) {
    return members.size() <= limits.setMaxListpackEntries()
        && members.longestText(1) <= limits.setMaxListpackValue()
        && !members.isAllIntegers();
  }

  @Override
  public String type() {
    return "set";
  }

  @Override
  public String encoding() {
    if (form instanceof IntSet) return "intset";
    return form instanceof ListPack ? "listpack" : "hashtable";
  }

  @Override
  public long size() {
    if (form instanceof IntSet integers) return integers.size();
    return form instanceof ListPack pack ? pack.size() : ((Dict) form).size();
  }

  @Override
  public long contentBytes() {
    if (form instanceof IntSet integers) return integers.heapBytes();
    return form instanceof ListPack pack ? pack.heapBytes() : ((Dict) form).heapBytes();
  }

  @Override
  public RedisSet copy() {
    if (form instanceof IntSet integers) return new RedisSet(hashSeed, integers.copy());
    if (form instanceof ListPack pack) return new RedisSet(hashSeed, pack.copy());
    return new RedisSet(hashSeed, dictOf(this));
  }

  private static Dict dictOf(RedisSet members) {
    Dict copy = members.form instanceof Dict original ? original.copy() : null;
    if (copy != null) return copy;
    Dict dict = new Dict(members.hashSeed);
    dict.expect((int) members.size());
    members.forEach((array, offset, length) ->
        put(dict, dict.hash(array, offset, length), array, offset, length));
    return dict;
  }

  private static void put(Dict dict, long hash, byte[] array, int offset, int length) {
    Record unused = dict.put(hash, array, offset, length, NO_VALUE, 0, 0, NEVER, 0);
  }

  // Reading

  public boolean contains(Slice member) {
    if (form instanceof IntSet integers) {
      return member.isLong() && integers.contains(member.toLong());
    }
    if (form instanceof ListPack pack) return find(pack, member) != ListPack.NONE;
    return ((Dict) form).has(member.array(), member.offset(), member.length());
  }

  /**
   * A test for membership that will be asked about that many members, valid until the next change.
   */
  public Predicate<Slice> membership(long members) {
    if (members < ListPack.TABLE_MIN || !(form instanceof ListPack pack)) return this::contains;
    ToIntFunction<Slice> positions = pack.table(1);
    return member -> positions.applyAsInt(member) != ListPack.NONE;
  }

  private static int find(ListPack pack, Slice member) {
    return pack.find(member.array(), member.offset(), member.length(), 1);
  }

  public void forEach(BytesVisitor visitor) {
    if (form instanceof Dict dict) dict.forEach(slot -> visit((Record) slot, visitor));
    else visitSmall(visitor);
  }

  private void visitSmall(BytesVisitor visitor) {
    visitSmallWhile(() -> true, visitor);
  }

  private void visitSmallWhile(BooleanSupplier wantsMore, BytesVisitor visitor) {
    if (form instanceof IntSet integers) {
      for (int i = 0; i < integers.size() && wantsMore.getAsBoolean(); i++) {
        visit(integers.get(i), visitor);
      }
    } else {
      ListPack pack = (ListPack) form;
      int at = pack.first();
      for (; at != ListPack.NONE && wantsMore.getAsBoolean(); at = pack.next(at)) {
        pack.visit(at, visitor);
      }
    }
  }

  /** Visits members until no more are wanted; some more members of a large set may be visited. */
  public void forEachWhile(BooleanSupplier wantsMore, BytesVisitor visitor) {
    if (form instanceof Dict dict) {
      dict.forEachWhile(wantsMore, slot -> visit((Record) slot, visitor));
    } else {
      visitSmallWhile(wantsMore, visitor);
    }
  }

  /**
   * Visits the members that another set has, or those that it has not, until no more are wanted;
   * some more members of a large set may be visited.
   *
   * @param most as many as may be wanted, for the choice of the means
   */
  public void forEachIn(
      RedisSet other, boolean isIn, long most, BooleanSupplier wantsMore, BytesVisitor visitor) {
    if (most > COMPARED_MIN && form instanceof Dict dict && other.form instanceof Dict others) {
      new Dict.Comparison(dict, others, isIn)
          .forEachWhile(wantsMore, slot -> visit((Record) slot, visitor));
    } else if (form instanceof IntSet integers && other.form instanceof IntSet others) {
      int place = 0;
      for (int i = 0; i < integers.size() && wantsMore.getAsBoolean(); i++) {
        long value = integers.get(i);
        place = others.firstFrom(value, place);
        boolean isThere = place < others.size() && others.get(place) == value;
        if (isThere == isIn) visit(value, visitor);
      }
    } else {
      Predicate<Slice> test = other.membership(Math.min(size(), most));
      Slice member = new Slice();
      forEachWhile(
          wantsMore,
          (array, offset, length) -> {
            if (test.test(member.wrap(array, offset, length)) != isIn) return;
            visitor.visit(array, offset, length);
          });
    }
  }

  private static void visit(long value, BytesVisitor visitor) {
    byte[] text = new byte[Decimals.length(value)];
    visitor.visit(text, 0, Decimals.put(text, 0, value));
  }

  private static void visit(Record record, BytesVisitor visitor) {
    visitor.visit(record.array(), record.keyOffset(), record.keyLength());
  }

  /** Does one step of SSCAN; a small set is one step. Returns the next cursor, 0 at the end. */
  public long scan(long cursor, BytesVisitor visitor) {
    if (form instanceof Dict dict)
      return dict.scan(cursor, slot -> true, slot -> visit((Record) slot, visitor));
    visitSmall(visitor);
    return 0;
  }

  /** Visits a member chosen at random; the set must not be empty. */
  public void random(RandomGenerator random, BytesVisitor visitor) {
    if (form instanceof IntSet integers) {
      visit(integers.get(random.nextInt(integers.size())), visitor);
    } else if (form instanceof ListPack pack) {
      pack.visit(pack.seek(random.nextInt(pack.size())), visitor);
    } else {
      Record record = (Record) ((Dict) form).random(random);
      if (record != null) visit(record, visitor);
    }
  }

  // Changing

  /**
   * Announces the number of members that may follow, and changes to the form that can hold them.
   */
  public void growing(int members, EncodingLimits limits) {
    if (form instanceof IntSet integers && members > limits.setMaxIntsetEntries()) {
      boolean packs = integers.size() == 0 && members <= limits.setMaxListpackEntries();
      form = packs ? new ListPack() : dictFor(members);
    } else if (form instanceof ListPack && members > limits.setMaxListpackEntries()) {
      form = dictFor(members);
    }
  }

  private Dict dictFor(int members) {
    if (size() > 0) return dictOf(this);
    Dict dict = new Dict(hashSeed);
    dict.expect(members);
    return dict;
  }

  /** Adds the members of another set. */
  public void addAll(RedisSet other, EncodingLimits limits) {
    if (form instanceof IntSet integers && other.form instanceof IntSet others) {
      IntSet union = integers.with(others);
      form = union;
      bound(union, limits);
      return;
    }
    if (size() == 0 && other.form instanceof ListPack pack && keeps(pack, limits)) {
      form = pack.copy();
      return;
    }
    boolean isLarge =
        other.size() > limits.setMaxListpackEntries()
            && other.size() > limits.setMaxIntsetEntries();
    if (size() == 0 && other.form instanceof Dict && isLarge) {
      form = dictOf(other);
      return;
    }
    growing((int) other.size(), limits);
    if (form instanceof Dict dict && other.form instanceof Dict others) {
      addAll(dict, others);
      return;
    }
    if (form instanceof ListPack pack
        && other.form instanceof ListPack others
        && others.longestText(1) <= limits.setMaxListpackValue()
        && pack.hasRoomFor(others.length())) {
      addAll(pack, others, limits);
      return;
    }
    Slice member = new Slice();
    other.forEach((array, offset, length) -> {
      boolean unused = add(member.wrap(array, offset, length), limits);
    });
  }

  private static void addAll(Dict dict, Dict others) {
    Elements added = new Elements();
    new Dict.Comparison(others, dict, false)
        .forEachWhile(() -> true, slot -> visit((Record) slot, added));
    added.visitAll((array, offset, length) ->
        put(dict, dict.hash(array, offset, length), array, offset, length));
  }

  private void addAll(ListPack pack, ListPack others, EncodingLimits limits) {
    int rest = pack.appendNew(others, limits.setMaxListpackEntries());
    if (pack.size() <= limits.setMaxListpackEntries()) return;
    Dict dict = dictOf(this);
    form = dict;
    Slice member = new Slice();
    for (int at = rest; at != ListPack.NONE; at = others.next(at)) {
      others.visit(
          at,
          (array, offset, length) -> {
            boolean unused = add(dict, member.wrap(array, offset, length));
          });
    }
  }

  /** Changes to a hash table if there are more integers than an intset may have. */
  private void bound(IntSet integers, EncodingLimits limits) {
    if (integers.size() > Math.min(limits.setMaxIntsetEntries(), INTSET_MAX)) form = dictOf(this);
  }

  /** Adds that many members, by their index; returns how many are new. */
  public int addAll(int count, IntFunction<Slice> members, EncodingLimits limits) {
    boolean isPacked =
        count >= ListPack.TABLE_MIN
            && count <= limits.setMaxListpackEntries()
            && (form instanceof ListPack || size() == 0 && !members.apply(0).isLong());
    if (!isPacked) {
      growing(count, limits);
      int added = 0;
      for (int i = 0; i < count; i++) if (add(members.apply(i), limits)) added++;
      return added;
    }
    Builder others = new Builder(count, Long.MAX_VALUE, new ListPack(), limits, hashSeed);
    for (int i = 0; i < count; i++) {
      boolean unused = others.add(members.apply(i));
    }
    long before = size();
    if (before == 0) form = others.build().form;
    else addAll(others.build(), limits);
    return (int) (size() - before);
  }

  /** Adds a member; returns whether it is new. */
  public boolean add(Slice member, EncodingLimits limits) {
    if (form instanceof Dict dict) return add(dict, member);
    if (form instanceof ListPack pack) return add(pack, member, limits);
    IntSet integers = (IntSet) form;
    if (member.isLong()) return add(integers, member.toLong(), limits);
    form = packable(integers, member.length(), limits) ? packOf(integers) : dictOf(this);
    return add(member, limits);
  }

  private static boolean add(Dict dict, Slice member) {
    byte[] array = member.array();
    int offset = member.offset();
    int length = member.length();
    long hash = dict.hash(array, offset, length);
    if (dict.has(hash, array, offset, length)) return false;
    put(dict, hash, array, offset, length);
    return true;
  }

  private boolean add(ListPack pack, Slice member, EncodingLimits limits) {
    if (find(pack, member) != ListPack.NONE) return false;
    int length = member.length();
    boolean fits =
        pack.size() < limits.setMaxListpackEntries()
            && length <= limits.setMaxListpackValue()
            && pack.hasRoomFor(length);
    if (fits) {
      pack.append(member.array(), member.offset(), length);
      return true;
    }
    Dict dict = dictOf(this);
    form = dict;
    return add(dict, member);
  }

  private boolean add(IntSet integers, long value, EncodingLimits limits) {
    if (!integers.add(value)) return false;
    bound(integers, limits);
    return true;
  }

  private static boolean packable(IntSet integers, int length, EncodingLimits limits) {
    int size = integers.size();
    if (size >= limits.setMaxListpackEntries() || length > limits.setMaxListpackValue())
      return false;
    if (size == 0) return true;
    int first = Decimals.length(integers.get(0));
    int last = Decimals.length(integers.get(size - 1));
    return Math.max(first, last) <= limits.setMaxListpackValue();
  }

  private static ListPack packOf(IntSet integers) {
    ListPack pack = new ListPack();
    for (int i = 0; i < integers.size(); i++) pack.append(integers.get(i));
    return pack;
  }

  /** Removes that many members, by their index; returns how many there were. */
  public int removeAll(int count, IntFunction<Slice> members) {
    int removed = 0;
    if (count < ListPack.TABLE_MIN || !(form instanceof ListPack pack)) {
      for (int i = 0; i < count; i++) if (remove(members.apply(i))) removed++;
      return removed;
    }
    return pack.removeAll(count, members, 1);
  }

  /** Removes a member; returns whether it was in the set. */
  public boolean remove(Slice member) {
    if (form instanceof Dict dict) {
      return dict.remove(member.array(), member.offset(), member.length());
    }
    if (form instanceof IntSet integers) {
      return member.isLong() && integers.remove(member.toLong());
    }
    ListPack pack = (ListPack) form;
    int at = find(pack, member);
    if (at == ListPack.NONE) return false;
    int unused = pack.delete(at);
    return true;
  }

  public void clear() {
    form = new IntSet();
  }
}
