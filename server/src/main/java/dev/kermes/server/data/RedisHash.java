package dev.kermes.server.data;

import dev.kermes.resp.RespWriter;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A hash. Small, it is a {@link ListPack} of fields and values in turn; beyond
 * hash-max-listpack-entries, or with a field or value longer than hash-max-listpack-value, a {@link
 * Dict} of {@link Record}s.
 *
 * <pre>
 *   listpack    |field|value|field|value|…|
 *   hashtable   field -> |record: field, value|
 * </pre>
 */
public final class RedisHash extends Value {

  /** Sees the fields of a hash with their values, as slices that are valid during the call only. */
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

  private static final int PAIR = 2;

  private final long hashSeed;
  private @Nullable ListPack pack = new ListPack();
  private @Nullable Dict dict;

  public RedisHash(long hashSeed) {
    this.hashSeed = hashSeed;
  }

  @Override
  public String type() {
    return "hash";
  }

  @Override
  public String encoding() {
    return pack != null ? "listpack" : "hashtable";
  }

  @Override
  public long size() {
    return pack != null ? pack.size() / PAIR : dict().size();
  }

  @Override
  public long contentBytes() {
    return pack != null ? pack.heapBytes() : dict().heapBytes();
  }

  @Override
  public RedisHash copy() {
    RedisHash copy = new RedisHash(hashSeed);
    if (pack != null) {
      copy.pack = pack.copy();
      return copy;
    }
    Dict copied = new Dict(hashSeed);
    dict().forEach(slot -> copied.put(((byte[]) slot).clone()));
    copy.pack = null;
    copy.dict = copied;
    return copy;
  }

  private Dict dict() {
    Dict large = dict;
    if (large == null) throw new IllegalStateException("hash without a form: encoding=listpack");
    return large;
  }

  // Reading

  public boolean contains(byte[] array, int offset, int length) {
    if (pack != null) return pack.find(array, offset, length, PAIR) != ListPack.NONE;
    return dict().find(array, offset, length) != null;
  }

  /** A copy of the field's value, or null. */
  public byte @Nullable [] get(byte[] array, int offset, int length) {
    if (pack != null) {
      int at = pack.find(array, offset, length, PAIR);
      return at == ListPack.NONE ? null : pack.get(pack.next(at));
    }
    byte[] record = (byte[]) dict().find(array, offset, length);
    return record == null ? null : Record.value(record);
  }

  /** Writes the field's value, or nil. */
  public void write(byte[] array, int offset, int length, RespWriter out) {
    if (pack != null) {
      int at = pack.find(array, offset, length, PAIR);
      if (at == ListPack.NONE) out.nil();
      else pack.write(pack.next(at), out);
      return;
    }
    byte[] record = (byte[]) dict().find(array, offset, length);
    if (record == null) out.nil();
    else out.bulk(record, Record.valueOffset(record), Record.valueLength(record));
  }

  /** Bytes of the field's value; 0 if it is not there. */
  public int valueLength(byte[] array, int offset, int length) {
    if (pack != null) {
      int at = pack.find(array, offset, length, PAIR);
      return at == ListPack.NONE ? 0 : pack.textLength(pack.next(at));
    }
    byte[] record = (byte[]) dict().find(array, offset, length);
    return record == null ? 0 : Record.valueLength(record);
  }

  public void forEach(FieldVisitor visitor) {
    if (pack != null) visitPack(pack, visitor);
    else dict().forEach(slot -> visit((byte[]) slot, visitor));
  }

  private static void visitPack(ListPack pack, FieldVisitor visitor) {
    int at = pack.first();
    while (at != ListPack.NONE) {
      visitPair(pack, at, visitor);
      at = pack.next(pack.next(at));
    }
  }

  private static void visitPair(ListPack pack, int at, FieldVisitor visitor) {
    int value = pack.next(at);
    pack.visit(
        at,
        (f, fOffset, fLength) ->
            pack.visit(
                value,
                (v, vOffset, vLength) -> visitor.visit(f, fOffset, fLength, v, vOffset, vLength)));
  }

  private static void visit(byte[] record, FieldVisitor visitor) {
    visitor.visit(
        record,
        Record.keyOffset(record),
        Record.keyLength(record),
        record,
        Record.valueOffset(record),
        Record.valueLength(record));
  }

  /** One step of HSCAN; a small hash is one step. Returns the next cursor, 0 at the end. */
  public long scan(long cursor, FieldVisitor visitor) {
    if (pack == null) return dict().scan(cursor, slot -> visit((byte[]) slot, visitor));
    visitPack(pack, visitor);
    return 0;
  }

  /** Shows a field chosen at random; the hash must not be empty. */
  public void random(RandomGenerator random, FieldVisitor visitor) {
    if (pack != null) {
      visitPair(pack, pack.seek(PAIR * random.nextLong(size())), visitor);
      return;
    }
    byte[] record = (byte[]) dict().random(random);
    if (record != null) visit(record, visitor);
  }

  // Changing

  /** Sets a field; replies whether it is new. */
  public boolean set(
      byte[] field,
      int fieldOffset,
      int fieldLength,
      byte[] value,
      int valueOffset,
      int valueLength,
      EncodingLimits limits) {
    int longest = Math.max(fieldLength, valueLength);
    if (pack != null && (longest > limits.hashMaxListpackValue || isFull(pack, longest))) {
      toDict(pack);
    }
    if (pack == null) {
      byte[] record =
          Record.of(field, fieldOffset, fieldLength, value, valueOffset, valueLength, NEVER);
      return dict().put(record) == null;
    }
    int at = pack.find(field, fieldOffset, fieldLength, PAIR);
    if (at != ListPack.NONE) {
      int unused = pack.replace(pack.next(at), value, valueOffset, valueLength);
      return false;
    }
    pack.append(field, fieldOffset, fieldLength);
    pack.append(value, valueOffset, valueLength);
    if (size() > limits.hashMaxListpackEntries) toDict(pack);
    return true;
  }

  private static boolean isFull(ListPack pack, int longest) {
    return !pack.hasRoomFor(2L * longest);
  }

  /** Removes a field; replies whether it was there. */
  public boolean remove(byte[] array, int offset, int length) {
    if (pack == null) return dict().remove(array, offset, length) != null;
    int at = pack.find(array, offset, length, PAIR);
    if (at == ListPack.NONE) return false;
    int unused = pack.delete(at, PAIR);
    return true;
  }

  private void toDict(ListPack small) {
    Dict large = new Dict(hashSeed);
    visitPack(
        small,
        (f, fOffset, fLength, v, vOffset, vLength) ->
            large.put(Record.of(f, fOffset, fLength, v, vOffset, vLength, NEVER)));
    dict = large;
    pack = null;
  }
}
