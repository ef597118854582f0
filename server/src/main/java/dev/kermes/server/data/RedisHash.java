package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A hash. A small one is a {@link FieldPack}. Beyond hash-max-listpack-entries, or with a field or
 * value longer than hash-max-listpack-value, it is a {@link FieldTable}.
 *
 * <pre>
 *   listpack    |field|value|field|value|…|
 *   listpackex  |field|value|expiry|field|value|expiry|…|
 *   hashtable   field -> |record: field, value|
 * </pre>
 *
 * A field may have an expiry time of its own. Reads ignore a field that is due, though it counts
 * for {@link #size} until it is removed.
 */
public final class RedisHash extends Value {

  /**
   * Receives the fields of a hash with their values, as slices that are valid during the call only.
   */
  @FunctionalInterface
  public interface FieldVisitor {

    void visit(
        byte[] field,
        int fieldOffset,
        int fieldLength,
        byte[] value,
        int valueOffset,
        int valueLength);
  }

  /** The expiry time of a field that does not exist. */
  public static final long NO_FIELD = -2;

  /** Passed instead of the time to visit fields that are due as well. */
  public static final long WITH_DUE = Long.MIN_VALUE;

  private static final int ARRAY_HEADER = 16;

  /** A {@link FieldPack} or a {@link FieldTable}. */
  private Object form;

  /**
   * The position in a pack of the field that was found last, or of the one after it if it has been
   * removed: a command that names several fields mostly names them in the order of the pack.
   */
  private int lastFound = FieldPack.HEADER;

  public RedisHash() {
    this(FieldPack.empty());
  }

  private RedisHash(Object form) {
    this.form = form;
  }

  /** Builds a hash from fields that come one by one. */
  public static final class Builder {

    /** 24: a short field and a short value. */
    private static final int LIKELY_BYTES = 24;

    private final EncodingLimits limits;
    private final long hashSeed;

    /** A {@link FieldPack.Builder} or a {@link FieldTable}. */
    private Object form;

    /**
     * For up to {@code fieldsMax} fields, which have up to {@code bytesMax} bytes with their values
     * and their lengths.
     */
    public Builder(int fieldsMax, long bytesMax, EncodingLimits limits, long hashSeed) {
      this.limits = limits;
      this.hashSeed = hashSeed;
      form =
          fieldsMax <= sizeMax(limits)
              ? new FieldPack.Builder(
                  fieldsMax, (int) Math.min(bytesMax, (long) LIKELY_BYTES * fieldsMax))
              : FieldTable.expecting((int) Math.min(fieldsMax, bytesMax / LIKELY_BYTES), hashSeed);
    }

    /** Adds a field; false if it is there already. */
    public boolean add(Slice field, Slice value) {
      if (form instanceof FieldPack.Builder pack) {
        int longest = Math.max(field.length(), value.length());
        if (longest <= limits.hashMaxListpackValue() && pack.hasRoomFor(longest)) {
          return pack.add(field, value);
        }
        form = FieldTable.of(pack.build(), hashSeed);
      }
      return ((FieldTable) form).put(field, value);
    }

    /**
     * Adds some of the fields that a dump begins with, up to {@code most}, if they and their values
     * are short strings. Moves the dump past them and returns their number. Any field may be left
     * for {@link #add}.
     *
     * @param dump each field and each value after its length, which is in one byte if it is short
     */
    public int addShort(Slice dump, int most) {
      boolean mayBeLong = limits.hashMaxListpackValue() >= PackEntry.SHORT_MAX;
      return mayBeLong && form instanceof FieldPack.Builder pack ? pack.addShort(dump, most) : 0;
    }

    public RedisHash build() {
      return new RedisHash(form instanceof FieldPack.Builder pack ? pack.build() : form);
    }
  }

  /** Builds a hash from alternating fields and values; null if a field comes twice. */
  public static @Nullable RedisHash of(Elements elements, EncodingLimits limits, long hashSeed) {
    Builder hash = new Builder(elements.count() / 2, Long.MAX_VALUE, limits, hashSeed);
    Slice field = new Slice();
    Slice value = new Slice();
    for (int i = 0; i < elements.count(); i += 2) {
      field.wrap(elements.array(i), elements.offset(i), elements.length(i));
      value.wrap(elements.array(i + 1), elements.offset(i + 1), elements.length(i + 1));
      if (!hash.add(field, value)) return null;
    }
    return hash.build();
  }

  /** Builds a hash from a pack's alternating fields and values; null if a field comes twice. */
  public static @Nullable RedisHash of(ListPack pack, EncodingLimits limits, long hashSeed) {
    boolean isSmall =
        pack.size() / 2 <= sizeMax(limits)
            && pack.hasRoomFor(0)
            && pack.longestText(1) <= limits.hashMaxListpackValue();
    if (!isSmall) {
      Elements elements = new Elements();
      pack.visitAll(elements);
      return of(elements, limits, hashSeed);
    }
    return pack.isDistinct(2) ? new RedisHash(FieldPack.of(pack)) : null;
  }

  @Override
  public String type() {
    return "hash";
  }

  @Override
  public String encoding() {
    if (!(form instanceof byte[] pack)) return "hashtable";
    return FieldPack.isExpiring(pack) ? "listpackex" : "listpack";
  }

  @Override
  public long size() {
    return form instanceof byte[] pack ? FieldPack.size(pack) : table().fields().size();
  }

  @Override
  public long contentBytes() {
    return form instanceof byte[] pack ? ARRAY_HEADER + pack.length : table().heapBytes();
  }

  @Override
  public RedisHash copy() {
    return new RedisHash(form instanceof byte[] pack ? pack.clone() : table().copy());
  }

  private FieldTable table() {
    return (FieldTable) form;
  }

  // Reading

  public boolean contains(Slice field, long nowMillis) {
    if (form instanceof byte[] pack) {
      return find(pack, field, nowMillis) != FieldPack.NONE;
    }
    return find(field, nowMillis) != null;
  }

  private int find(byte[] pack, Slice field) {
    int at = FieldPack.find(pack, field, lastFound);
    if (at != FieldPack.NONE) lastFound = at;
    return at;
  }

  private int find(byte[] pack, Slice field, long nowMillis) {
    int at = find(pack, field);
    if (at == FieldPack.NONE) return at;
    return isDue(FieldPack.expireAtMillis(pack, at), nowMillis) ? FieldPack.NONE : at;
  }

  private @Nullable Record find(Slice field, long nowMillis) {
    Record record = table().find(field);
    if (record == null || isDue(record.expireAtMillis(), nowMillis)) return null;
    return record;
  }

  private static boolean isDue(long expireAtMillis, long nowMillis) {
    return expireAtMillis >= 0 && expireAtMillis <= nowMillis;
  }

  /** A copy of the field's value, or null. */
  public byte @Nullable [] get(Slice field, long nowMillis) {
    if (form instanceof byte[] pack) {
      int at = find(pack, field, nowMillis);
      return at == FieldPack.NONE ? null : PackEntry.get(pack, FieldPack.value(pack, at));
    }
    Record record = find(field, nowMillis);
    return record == null ? null : record.value();
  }

  /** Writes the field's value, or nil. */
  public void write(Slice field, long nowMillis, RespWriter out) {
    if (form instanceof byte[] pack) {
      write(pack, find(pack, field), nowMillis, out);
      return;
    }
    Record record = find(field, nowMillis);
    if (record == null) out.nil();
    else out.bulkShared(record.lend(), record.valueOffset(), record.valueLength());
  }

  /** The same as {@link #write} for that many fields, valid until the next change. */
  public Consumer<Slice> writer(int fields, long nowMillis, RespWriter out) {
    if (fields < ListPack.TABLE_MIN || !(form instanceof byte[] pack)) {
      return field -> write(field, nowMillis, out);
    }
    FieldPack.Search search = new FieldPack.Search(pack);
    return field -> write(pack, search.find(field), nowMillis, out);
  }

  private static void write(byte[] pack, int at, long nowMillis, RespWriter out) {
    boolean isThere = at != FieldPack.NONE && !isDue(FieldPack.expireAtMillis(pack, at), nowMillis);
    if (isThere) PackEntry.write(pack, FieldPack.value(pack, at), out);
    else out.nil();
  }

  /** The bytes of the field's value; 0 if the field does not exist. */
  public int valueLength(Slice field, long nowMillis) {
    if (form instanceof byte[] pack) {
      int at = find(pack, field, nowMillis);
      return at == FieldPack.NONE ? 0 : PackEntry.textLength(pack, FieldPack.value(pack, at));
    }
    Record record = find(field, nowMillis);
    return record == null ? 0 : record.valueLength();
  }

  /** The number of fields that are not due. O(n) if some expire, else O(1). */
  public long liveSize(long nowMillis) {
    if (!allowsExpiry()) return size();
    long[] count = {0};
    forEach(nowMillis, (f, fOffset, fLength, v, vOffset, vLength) -> count[0]++);
    return count[0];
  }

  /** Visits the fields that are not due. */
  public void forEach(long nowMillis, FieldVisitor visitor) {
    if (form instanceof byte[] pack) visitAll(pack, nowMillis, visitor);
    else table().fields().forEach(slot -> visit((Record) slot, nowMillis, visitor));
  }

  /** Whether the bytes of values that {@link #forEach} visits never change. */
  public boolean hasLastingValues() {
    return form instanceof FieldTable;
  }

  private static void visitAll(byte[] pack, long nowMillis, FieldVisitor visitor) {
    int at = FieldPack.first(pack);
    while (at != FieldPack.NONE) {
      int valueAt = FieldPack.value(pack, at);
      int next = FieldPack.nextOfValue(pack, valueAt);
      if (!isDue(FieldPack.expireAtMillis(pack, at), nowMillis))
        FieldPack.visit(pack, at, valueAt, visitor);
      at = next;
    }
  }

  private static void visit(Record record, long nowMillis, FieldVisitor visitor) {
    if (isDue(record.expireAtMillis(), nowMillis)) return;
    visitor.visit(
        record.array(),
        record.keyOffset(),
        record.keyLength(),
        record.lend(),
        record.valueOffset(),
        record.valueLength());
  }

  /** Does one step of HSCAN; a small hash is one step. Returns the next cursor, 0 at the end. */
  public long scan(long cursor, long nowMillis, FieldVisitor visitor) {
    if (form instanceof byte[] pack) {
      visitAll(pack, nowMillis, visitor);
      return 0;
    }
    return table()
        .fields()
        .scan(cursor, slot -> true, slot -> visit((Record) slot, nowMillis, visitor));
  }

  /** Visits a field chosen at random, due or not; the hash must not be empty. */
  public void random(RandomGenerator random, FieldVisitor visitor) {
    if (form instanceof byte[] pack) {
      int at = FieldPack.seek(pack, random.nextInt(FieldPack.size(pack)));
      FieldPack.visit(pack, at, FieldPack.value(pack, at), visitor);
    } else if (table().fields().random(random) instanceof Record record) {
      visit(record, WITH_DUE, visitor);
    }
  }

  /** Visits fields chosen at random, {@code count} times. */
  public void random(RandomGenerator random, long count, FieldVisitor visitor) {
    if (form instanceof byte[] pack && count > 1) {
      int[] positions = FieldPack.positions(pack);
      for (long i = 0; i < count; i++) {
        int at = positions[random.nextInt(positions.length)];
        FieldPack.visit(pack, at, FieldPack.value(pack, at), visitor);
      }
    } else {
      for (long i = 0; i < count; i++) random(random, visitor);
    }
  }

  // Changing

  /** Announces the number of fields that may follow, and changes to the form that can hold them. */
  public void growing(int fields, EncodingLimits limits, long hashSeed) {
    if (form instanceof byte[] pack && fields > sizeMax(limits))
      form = FieldTable.of(pack, hashSeed);
  }

  private static int sizeMax(EncodingLimits limits) {
    return Math.min(limits.hashMaxListpackEntries(), FieldPack.SIZE_MAX - 1);
  }

  /** Sets a field without expiry; returns whether it is new. */
  public boolean set(Slice field, Slice value, EncodingLimits limits, long hashSeed) {
    int longest = Math.max(field.length(), value.length());
    if (form instanceof byte[] pack) {
      boolean fits =
          longest <= limits.hashMaxListpackValue() && FieldPack.hasRoomFor(pack, 2L * longest);
      if (!fits) form = FieldTable.of(pack, hashSeed);
    }
    if (!(form instanceof byte[] pack)) return table().put(field, value);
    int at = find(pack, field);
    if (at != FieldPack.NONE) {
      if (FieldPack.isExpiring(pack)) FieldPack.expireAtMillis(pack, at, NEVER);
      form = FieldPack.replace(pack, at, value);
      return false;
    }
    byte[] grown = FieldPack.append(pack, field, value);
    boolean isSmall = FieldPack.size(grown) <= sizeMax(limits);
    form = isSmall ? grown : FieldTable.of(grown, hashSeed);
    return true;
  }

  /**
   * Sets a field without expiry to a large value, which stays in the string; returns whether the
   * field is new. Makes the hash a table.
   */
  public boolean set(Slice field, RawString value, long hashSeed) {
    if (form instanceof byte[] pack) form = FieldTable.of(pack, hashSeed);
    return table().put(field, value);
  }

  /** The array of a field's value, if nothing else uses it and the field is about to change. */
  public byte @Nullable [] spareArray(Slice field) {
    Record record = form instanceof FieldTable table ? table.find(field) : null;
    return record == null ? null : record.spareArray();
  }

  /** Removes that many fields, by their index; returns how many there were. */
  public int removeAll(int count, IntFunction<Slice> fields) {
    int removed = 0;
    if (count < ListPack.TABLE_MIN || !(form instanceof byte[] pack)) {
      for (int i = 0; i < count; i++) if (remove(fields.apply(i))) removed++;
      return removed;
    }
    FieldPack.Search search = new FieldPack.Search(pack);
    BitSet found = new BitSet(pack.length);
    for (int i = 0; i < count; i++) {
      int at = search.find(fields.apply(i));
      if (at != FieldPack.NONE) found.set(at);
    }
    if (!found.isEmpty()) replace(FieldPack.removeAll(pack, found));
    return found.cardinality();
  }

  /** Removes a field; returns whether it existed. */
  public boolean remove(Slice field) {
    if (!(form instanceof byte[] pack)) return table().remove(field);
    int at = find(pack, field);
    if (at == FieldPack.NONE) return false;
    form = FieldPack.remove(pack, at);
    return true;
  }

  // Expiry

  /**
   * The time when a field expires, in Unix milliseconds, or {@link Value#NEVER} or {@link
   * #NO_FIELD}.
   */
  public long fieldExpireAtMillis(Slice field) {
    if (form instanceof byte[] pack) {
      int at = find(pack, field);
      return at == FieldPack.NONE ? NO_FIELD : FieldPack.expireAtMillis(pack, at);
    }
    Record record = table().find(field);
    return record == null ? NO_FIELD : record.expireAtMillis();
  }

  /** Makes room for expiry times, which changes the encoding of a small hash. */
  public void allowExpiry() {
    if (!(form instanceof byte[] pack)) table().allowExpiry();
    else if (!FieldPack.isExpiring(pack)) replace(FieldPack.expiring(pack));
  }

  /** Takes a pack whose fields are at other positions. */
  private void replace(byte[] pack) {
    form = pack;
    lastFound = FieldPack.HEADER;
  }

  /** Gives an existing field another expiry time, {@link Value#NEVER} for none. */
  public void fieldExpireAtMillis(Slice field, long unixMillis) {
    allowExpiry();
    if (form instanceof byte[] pack) {
      FieldPack.expireAtMillis(pack, find(pack, field), unixMillis);
      return;
    }
    Record record = table().find(field);
    if (record != null) table().expireAtMillis(record, unixMillis);
  }

  /** Whether any field expires or ever did. */
  public boolean allowsExpiry() {
    return form instanceof byte[] pack ? FieldPack.isExpiring(pack) : table().isExpiring();
  }

  /** Whether any field expires. O(n) if the hash is small and any field ever did. */
  public boolean hasExpiring() {
    if (!(form instanceof byte[] pack)) return table().expiringSize() > 0;
    if (!FieldPack.isExpiring(pack)) return false;
    for (int at = FieldPack.first(pack); at != FieldPack.NONE; at = FieldPack.next(pack, at)) {
      if (FieldPack.expireAtMillis(pack, at) != NEVER) return true;
    }
    return false;
  }

  /** Removes a field if it is due; returns whether it was. */
  public boolean expire(Slice field, long nowMillis) {
    return isDue(fieldExpireAtMillis(field), nowMillis) && remove(field);
  }

  /** Removes all fields that are due; returns their names. O(n) if any may be due. */
  public List<byte[]> expireAll(long nowMillis) {
    return form instanceof byte[] pack ? expireAll(pack, nowMillis) : table().expireAll(nowMillis);
  }

  private List<byte[]> expireAll(byte[] pack, long nowMillis) {
    List<byte[]> names = new ArrayList<>();
    int at = FieldPack.first(pack);
    while (at != FieldPack.NONE) {
      boolean isDue = isDue(FieldPack.expireAtMillis(pack, at), nowMillis);
      if (isDue) names.add(PackEntry.get(pack, at));
      if (isDue) pack = FieldPack.remove(pack, at);
      at = isDue ? FieldPack.at(pack, at) : FieldPack.next(pack, at);
    }
    replace(pack);
    return names;
  }

  /**
   * Removes fields that are due: all of them if only few fields expire. Otherwise it removes at
   * most about {@code dueMax}, of the next {@code seenMax} or so fields after those examined last.
   */
  public ExpiredFields expireSome(int seenMax, int dueMax, long nowMillis) {
    if (!(form instanceof byte[] pack)) return table().expireSome(seenMax, dueMax, nowMillis);
    long size = size();
    return new ExpiredFields(expireAll(pack, nowMillis), size);
  }
}
