package dev.kermes.server.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a large hash: {@link Record}s, of which those that expire stand in a second table
 * as well.
 */
final class FieldTable {

  /** Up to so many fields that expire are all looked at in one turn: in some microseconds. */
  private static final int WHOLE_MAX = 1000;

  private final long hashSeed;
  private final Dict fields;
  private @Nullable ExpiryTable expiring;

  /** No field is due before. */
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

  /** Whether fields expire or once did. */
  boolean isExpiring() {
    return expiring != null;
  }

  void allowExpiry() {
    if (expiring == null) expiring = new ExpiryTable(hashSeed);
  }

  /** Fields that expire. */
  int expiringSize() {
    return expiring == null ? 0 : expiring.size();
  }

  long heapBytes() {
    return fields.heapBytes() + (expiring == null ? 0 : expiring.tableBytes());
  }

  byte @Nullable [] find(byte[] array, int offset, int length) {
    return (byte[]) fields.find(array, offset, length);
  }

  /** Stores a field; whether it is new. */
  boolean put(byte[] record) {
    byte[] replaced = (byte[]) fields.put(record);
    if (Record.hasExpiry(record)) putExpiring(record);
    else if (replaced != null && Record.hasExpiry(replaced)) forgetExpiry(record);
    return replaced == null;
  }

  private void putExpiring(byte[] record) {
    expiring().put(record);
    nextExpiryMillis = Math.min(nextExpiryMillis, Record.expireAtMillis(record));
  }

  boolean remove(byte[] array, int offset, int length) {
    byte[] removed = (byte[]) fields.remove(array, offset, length);
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

  /** Removes those that are due among at least about so many; returns which. */
  List<byte[]> expireSome(int fieldsMin, long nowMillis) {
    if (nowMillis < nextExpiryMillis) return List.of();
    if (expiringSize() <= WHOLE_MAX) return expireAll(nowMillis);
    ExpiryTable.Found found =
        expiring().look(fieldsMin, slot -> Record.expireAtMillis((byte[]) slot) <= nowMillis);
    return removeAll(found.due());
  }

  /** Removes all fields that are due; returns which. O(fields that expire) if some may be. */
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
    for (Object slot : records) {
      byte[] record = (byte[]) slot;
      names.add(Record.key(record));
      boolean unused = remove(record, Record.keyOffset(record), Record.keyLength(record));
    }
    return names;
  }
}
