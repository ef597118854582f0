package dev.kermes.server.data.stream;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.Slices;

/**
 * Consecutive entries of a stream in one {@link ListPack}, laid out as in Redis:
 *
 * <pre>
 *   |live|deleted|field count|field|…|0|    the first entry's fields, shared by those with the same
 *   |flags|millis|sequence|value|…|elements|                           fields as the first entry
 *   |flags|millis|sequence|field count|field|value|…|elements|         other fields
 * </pre>
 *
 * Millis and sequence are relative to the block's base, the ID of its first entry. {@code elements}
 * counts the elements of the entry before it, to be read backwards. A deleted entry is only marked.
 */
final class StreamBlock {

  private static final int DELETED = 1;
  private static final int SAME_FIELDS = 2;

  private final StreamId base;
  private final ListPack pack;

  /** An empty block for an entry with that ID and those alternating fields and values. */
  StreamBlock(StreamId base, Slices fieldsAndValues) {
    this.base = base;
    pack = new ListPack();
    pack.append(0);
    pack.append(0);
    pack.append(fieldsAndValues.count() / 2);
    for (int i = 0; i < fieldsAndValues.count(); i += 2) fieldsAndValues.appendTo(pack, i);
    pack.append(0);
  }

  private StreamBlock(StreamBlock other) {
    base = other.base;
    pack = other.pack.copy();
  }

  StreamBlock copy() {
    return new StreamBlock(this);
  }

  long heapBytes() {
    return 48 + pack.heapBytes();
  }

  StreamId base() {
    return base;
  }

  ListPack pack() {
    return pack;
  }

  int live() {
    return (int) pack.integer(pack.first());
  }

  private int deleted() {
    return (int) pack.integer(pack.next(pack.first()));
  }

  private void counts(int live, int deleted) {
    int at = pack.replace(pack.first(), live);
    int unused = pack.replace(pack.next(at), deleted);
  }

  /** Whether another entry of {@code moreBytes} bytes needs a new block. */
  boolean isFull(long moreBytes, EncodingLimits limits) {
    long bytes = pack.redisLength() + moreBytes;
    if (limits.streamNodeMaxBytes() > 0 && bytes >= limits.streamNodeMaxBytes()) return true;
    if (!pack.hasRoomFor(2 * moreBytes)) return true;
    int entries = live() + deleted();
    return limits.streamNodeMaxEntries() > 0 && entries >= limits.streamNodeMaxEntries();
  }

  void trim() {
    pack.trim();
  }

  void append(StreamId id, Slices fieldsAndValues) {
    boolean same = hasSameFields(fieldsAndValues);
    int fields = fieldsAndValues.count() / 2;
    counts(live() + 1, deleted());
    pack.append(same ? SAME_FIELDS : 0);
    pack.append(id.millis() - base.millis());
    pack.append(id.sequence() - base.sequence());
    if (!same) pack.append(fields);
    for (int i = same ? 1 : 0; i < fields * 2; i += same ? 2 : 1) fieldsAndValues.appendTo(pack, i);
    pack.append(same ? fields + 3 : fields * 2 + 4);
  }

  private boolean hasSameFields(Slices fieldsAndValues) {
    int at = pack.seek(2);
    if (pack.integer(at) != fieldsAndValues.count() / 2) return false;
    for (int i = 0; i < fieldsAndValues.count(); i += 2) {
      at = pack.next(at);
      int offset = fieldsAndValues.offsets()[i];
      if (!pack.equals(at, fieldsAndValues.array(), offset, fieldsAndValues.lengths()[i])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads the entries of one block in both directions, including deleted ones. Initially before the
   * first entry.
   */
  final class Reader {

    private int flagsAt = ListPack.NONE;
    private int bodyAt = ListPack.NONE;
    private int fields;
    private boolean sameFields;
    private boolean deleted;
    private StreamId id = StreamId.MIN;

    Reader() {}

    StreamId id() {
      return id;
    }

    boolean isOnEntry() {
      return flagsAt != ListPack.NONE;
    }

    boolean isDeleted() {
      return deleted;
    }

    /** Moves to the next entry; returns false at the end. */
    boolean next() {
      return read(flagsAt == ListPack.NONE ? skip(3 + masterFields() + 1) : afterEntry());
    }

    /** Moves to the previous entry, or to the last one if on none; returns false at the start. */
    boolean previous() {
      int elementsAt = flagsAt == ListPack.NONE ? pack.last() : pack.previous(flagsAt);
      long elements = pack.integer(elementsAt);
      if (elements == 0) return false;
      int at = elementsAt;
      for (long i = 0; i < elements; i++) at = pack.previous(at);
      return read(at);
    }

    private int masterFields() {
      return (int) pack.integer(pack.seek(2));
    }

    private int skip(int elements) {
      int at = pack.first();
      for (int i = 0; i < elements && at != ListPack.NONE; i++) at = pack.next(at);
      return at;
    }

    private int afterEntry() {
      int at = bodyAt;
      for (int i = sameFields ? fields : fields * 2; i >= 0; i--) at = pack.next(at);
      return at;
    }

    private boolean read(int at) {
      if (at == ListPack.NONE) return false;
      flagsAt = at;
      int flags = (int) pack.integer(at);
      deleted = (flags & DELETED) != 0;
      sameFields = (flags & SAME_FIELDS) != 0;
      int millisAt = pack.next(at);
      int sequenceAt = pack.next(millisAt);
      id =
          new StreamId(
              base.millis() + pack.integer(millisAt), base.sequence() + pack.integer(sequenceAt));
      bodyAt = pack.next(sequenceAt);
      fields = sameFields ? masterFields() : (int) pack.integer(bodyAt);
      if (!sameFields) bodyAt = pack.next(bodyAt);
      return true;
    }

    /** Marks the entry as deleted. */
    void delete() {
      int flags = (int) pack.integer(flagsAt);
      int fromEnd = pack.length() - (flagsAt - pack.first());
      int unused = pack.replace(flagsAt, flags | DELETED);
      deleted = true;
      counts(live() - 1, deleted() + 1);
      boolean known = read(pack.first() + pack.length() - fromEnd);
      if (!known) throw new IllegalStateException("stream entry lost: id=" + id);
    }

    /** Writes the entry's fields and values as one array; large values are lent to the output. */
    void writeFields(RespWriter out) {
      out.array(fields * 2);
      int fieldAt = sameFields ? pack.seek(3) : bodyAt;
      int valueAt = sameFields ? bodyAt : pack.next(bodyAt);
      int step = sameFields ? 1 : 2;
      for (int i = 0; i < fields; i++) {
        pack.write(fieldAt, out);
        pack.lend(valueAt, out);
        if (i + 1 == fields) break;
        fieldAt = advance(fieldAt, step);
        valueAt = advance(valueAt, step);
      }
    }

    private int advance(int at, int elements) {
      for (int i = 0; i < elements; i++) at = pack.next(at);
      return at;
    }
  }
}
