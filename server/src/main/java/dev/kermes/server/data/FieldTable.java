package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a large hash as {@link Record}s. Those that expire are in a second table as well.
 */
final class FieldTable {

  /** 1,000: up to this number of expiring fields, one call examines all, in a few microseconds. */
  private static final int WHOLE_MAX = 1000;

  private final long hashSeed;
  private final Dict fields;
  private @Nullable ExpiryTable expiring;

  /** No field is due before this time. */
  private long nextExpiryMillis = Long.MAX_VALUE;

  FieldTable(long hashSeed) {
    this.hashSeed = hashSeed;
    fields = new Dict(hashSeed);
  }

  /** An empty table large enough for that many fields. */
  static FieldTable expecting(int fields, long hashSeed) {
    FieldTable table = new FieldTable(hashSeed);
    table.fields.expect(fields);
    return table;
  }

  /** A table of the fields of a pack. */
  static FieldTable of(byte[] pack, long hashSeed) {
    FieldTable table = new FieldTable(hashSeed);
    if (FieldPack.isExpiring(pack)) table.allowExpiry();
    for (int at = FieldPack.first(pack); at != FieldPack.NONE; at = FieldPack.next(pack, at)) {
      long expireAtMillis = FieldPack.expireAtMillis(pack, at);
      FieldPack.visit(
          pack,
          at,
          FieldPack.value(pack, at),
          (f, fOffset, fLength, v, vOffset, vLength) ->
              table.put(Record.of(f, fOffset, fLength, v, vOffset, vLength, expireAtMillis)));
    }
    return table;
  }

  FieldTable copy() {
    FieldTable copy = expecting(fields.size(), hashSeed);
    fields.forEach(slot -> copy.put((Record) slot));
    return copy;
  }

  Dict fields() {
    return fields;
  }

  /** Whether any field expires or ever did. */
  boolean isExpiring() {
    return expiring != null;
  }

  void allowExpiry() {
    if (expiring == null) expiring = new ExpiryTable(fields);
  }

  /** The number of fields that expire. */
  int expiringSize() {
    return expiring == null ? 0 : expiring.size();
  }

  long heapBytes() {
    return fields.heapBytes() + (expiring == null ? 0 : expiring.tableBytes());
  }

  @Nullable Record find(Slice field) {
    return (Record) fields.find(field.array(), field.offset(), field.length());
  }

  /** Stores a field; returns whether it is new. */
  boolean put(Record record) {
    int size = fields.size();
    long hash = fields.hashOf(record);
    if (expiringSize() > 0) {
      fields.reserve(hash, record);
      forgetExpiry(record.array(), record.keyOffset(), record.keyLength());
    }
    Record stored = (Record) fields.put(hash, record);
    if (stored.hasExpiry()) putExpiring(stored);
    return fields.size() > size;
  }

  /** Stores a field without expiry; returns whether it is new. */
  boolean put(Slice field, Slice value) {
    if (expiringSize() > 0) return put(Record.of(field, value, Value.NEVER));
    if (value.length() > Arena.BLOCK_MAX) {
      Record present = find(field);
      if (present != null && present.overwriteOwn(value)) return false;
    }
    int size = fields.size();
    Record unused =
        fields.put(
            fields.hash(field.array(), field.offset(), field.length()),
            field.array(),
            field.offset(),
            field.length(),
            value.array(),
            value.offset(),
            value.length(),
            Value.NEVER,
            0);
    return fields.size() > size;
  }

  /**
   * Stores a field without expiry whose large value stays in the string; returns whether it is new.
   */
  boolean put(Slice field, RawString value) {
    Record record = Record.of(field, value);
    long hash = fields.hashOf(record);
    if (expiringSize() > 0) {
      fields.reserve(hash, record);
      forgetExpiry(field.array(), field.offset(), field.length());
    }
    int size = fields.size();
    Record unused = fields.putLarge(hash, record);
    return fields.size() > size;
  }

  private void putExpiring(Record record) {
    expiring().put(record, record.expireAtMillis());
    nextExpiryMillis = Math.min(nextExpiryMillis, record.expireAtMillis());
  }

  boolean remove(Slice field) {
    if (expiringSize() > 0) forgetExpiry(field.array(), field.offset(), field.length());
    return fields.remove(field.array(), field.offset(), field.length());
  }

  private void forgetExpiry(byte[] array, int offset, int length) {
    expiring().remove(array, offset, length);
  }

  private ExpiryTable expiring() {
    allowExpiry();
    return Objects.requireNonNull(expiring);
  }

  /** Gives a field another expiry time, {@link Value#NEVER} for none. */
  void expireAtMillis(Record record, long unixMillis) {
    boolean unused = put(record.withExpiry(unixMillis));
  }

  /**
   * Removes fields that are due: at most about {@code dueMax}, of the next {@code seenMax} or so
   * fields after those examined last.
   */
  ExpiredFields expireSome(int seenMax, int dueMax, long nowMillis) {
    int size = expiringSize();
    if (nowMillis < nextExpiryMillis) return new ExpiredFields(List.of(), size);
    if (size <= WHOLE_MAX) return new ExpiredFields(expireAll(nowMillis), size);
    ExpiryTable.Found found = expiring().due(seenMax, dueMax, nowMillis);
    return new ExpiredFields(removeAll(found.due()), found.seen());
  }

  /**
   * Removes all fields that are due and returns their names. O(expiring fields) if any may be due.
   */
  List<byte[]> expireAll(long nowMillis) {
    if (nowMillis < nextExpiryMillis) return List.of();
    List<byte[]> due = new ArrayList<>();
    nextExpiryMillis = Long.MAX_VALUE;
    expiring()
        .slots()
        .forEach(slot -> {
          Record record = (Record) slot;
          long expireAtMillis = record.expireAtMillis();
          if (expireAtMillis <= nowMillis) due.add(record.key());
          else nextExpiryMillis = Math.min(nextExpiryMillis, expireAtMillis);
        });
    return removeAll(due);
  }

  private List<byte[]> removeAll(List<byte[]> names) {
    Slice field = new Slice();
    for (byte[] name : names) {
      boolean unused = remove(field.wrap(name));
    }
    return names;
  }
}
