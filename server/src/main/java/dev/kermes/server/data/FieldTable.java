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

  FieldTable copy() {
    FieldTable copy = new FieldTable(hashSeed);
    fields.forEach(slot -> copy.put(((byte[]) slot).clone()));
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
    if (expiring == null) expiring = new ExpiryTable(hashSeed);
  }

  /** The number of fields that expire. */
  int expiringSize() {
    return expiring == null ? 0 : expiring.size();
  }

  long heapBytes() {
    return fields.heapBytes() + (expiring == null ? 0 : expiring.tableBytes());
  }

  byte @Nullable [] find(Slice field) {
    return (byte[]) fields.find(field.array(), field.offset(), field.length());
  }

  /** Stores a field; returns whether it is new. */
  boolean put(byte[] record) {
    byte[] replaced = (byte[]) fields.put(record);
    if (Record.hasExpiry(record)) putExpiring(record);
    else if (replaced != null && Record.hasExpiry(replaced)) forgetExpiry(record);
    return replaced == null;
  }

  private void putExpiring(byte[] record) {
    expiring().put(record, Record.expireAtMillis(record));
    nextExpiryMillis = Math.min(nextExpiryMillis, Record.expireAtMillis(record));
  }

  boolean remove(Slice field) {
    byte[] removed = (byte[]) fields.remove(field.array(), field.offset(), field.length());
    if (removed != null && Record.hasExpiry(removed)) forgetExpiry(removed);
    return removed != null;
  }

  private void forgetExpiry(byte[] record) {
    expiring().remove(record, Record.keyOffset(record), Record.keyLength(record));
  }

  private ExpiryTable expiring() {
    allowExpiry();
    return Objects.requireNonNull(expiring);
  }

  /** Gives a field another expiry time, {@link Value#NEVER} for none. */
  void expireAtMillis(byte[] record, long unixMillis) {
    boolean unused = put(Record.withExpiry(record, unixMillis));
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
    List<Object> due = new ArrayList<>();
    nextExpiryMillis = Long.MAX_VALUE;
    expiring()
        .slots()
        .forEach(slot -> {
          long expireAtMillis = Record.expireAtMillis((byte[]) slot);
          if (expireAtMillis <= nowMillis) due.add(slot);
          else nextExpiryMillis = Math.min(nextExpiryMillis, expireAtMillis);
        });
    return removeAll(due);
  }

  private List<byte[]> removeAll(List<Object> records) {
    List<byte[]> names = new ArrayList<>(records.size());
    Slice field = new Slice();
    for (Object slot : records) {
      byte[] record = (byte[]) slot;
      names.add(Record.key(record));
      field.wrap(record, Record.keyOffset(record), Record.keyLength(record));
      boolean unused = remove(field);
    }
    return names;
  }
}
