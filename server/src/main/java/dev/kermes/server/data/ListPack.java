package dev.kermes.server.data;

import dev.kermes.resp.Decimals;
import dev.kermes.resp.RespWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Strings and integers packed into one byte array, readable from both ends. The entries are laid
 * out as in Redis's listpack, so that a dump can copy them unchanged. There is room on both sides
 * of them, so that a push or pop at either end moves no entry.
 *
 * <pre>
 *   |  room  |entry|entry|…|entry|  room  |
 *            ^start              ^end
 *   entry    |{@link PackEntry}|back length: size of what is before it, read backwards|
 * </pre>
 *
 * A string that is the canonical text of a long is always stored as an integer. Positions are
 * indices into the array, valid until the next change; {@link #NONE} is past either end.
 */
public final class ListPack {

  /** The position past either end. */
  public static final int NONE = -1;

  /** Enough for an element of the greatest bulk length, and more. */
  private static final int BYTES_MAX = 1 << 30;

  /** The bytes that Redis's own form adds to the entries: a header of 6 bytes and an end byte. */
  private static final int REDIS_OVERHEAD = 7;

  /** 16: from that many searches on, a {@link #table} costs less than walks through the pack. */
  public static final int TABLE_MIN = 16;

  /** The bytes of an entry besides its text: up to five before it and up to five after it. */
  static final int ENTRY_OVERHEAD_MAX = 10;

  /** 1024: the most spare room; more would waste memory, less would mean more frequent copies. */
  private static final int ROOM_MAX = 1024;

  private static final int SHRINK_MIN = 256;

  /** 64 KiB: a pack of at least this length keeps room of an eighth of it instead of a copy. */
  private static final int KEPT_ROOM_MIN = 64 * 1024;

  private static final int KEPT_ROOM_SHIFT = 3;

  /** 64 KiB: the most room for elements that are expected. */
  private static final int EXPECTED_MAX = 1 << 16;

  /** 32: so that the last element finds room although its size is not known yet. */
  private static final int EXPECTED_SPARE = 32;

  /** 3: an eighth of its length as room costs less than a copy of a new pack. */
  private static final int TAKEN_ROOM_SHIFT = 3;

  /**
   * Total bytes and number of elements; from {@link #REDIS_COUNT_MAX} on, readers have to count.
   */
  private static final int REDIS_HEADER = 6;

  private static final int REDIS_COUNT_MAX = 0xffff;
  private static final int REDIS_END = 0xff;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] EMPTY = {};

  private byte[] bytes = EMPTY;
  private int start;
  private int end;
  private int count;

  /** Whether another pack reads the same array: the next change must copy it first. */
  private boolean isShared;

  public ListPack() {}

  /** An empty pack with room for that many bytes of entries. */
  ListPack(int room) {
    bytes = new byte[room];
  }

  private ListPack(ListPack other) {
    bytes = Arrays.copyOfRange(other.bytes, other.start, other.end);
    end = bytes.length;
    count = other.count;
  }

  /** The bytes of the entry of a string that is not the text of a long. */
  public static int length(Slice string) {
    int body = PackEntry.stringSize(string.length());
    return body + backLengthSize(body);
  }

  /**
   * A pack of one string that is not the text of a long.
   *
   * @param room an array for its entry that no other code uses, with any content; or null
   */
  public static ListPack of(Slice string, byte @Nullable [] room) {
    int body = PackEntry.stringSize(string.length());
    ListPack pack = new ListPack();
    pack.end = body + backLengthSize(body);
    pack.bytes = room == null ? new byte[pack.end] : room;
    PackEntry.putString(pack.bytes, 0, string.array(), string.offset(), string.length());
    pack.putBackLength(body, body);
    pack.count = 1;
    return pack;
  }

  /** A pack of the same elements, without room on either side. */
  public ListPack copy() {
    return new ListPack(this);
  }

  // Redis's own form

  /** The same elements in Redis's own form. */
  public byte[] toRedis() {
    byte[] form = new byte[redisLength()];
    toRedis(form);
    return form;
  }

  /**
   * Writes the same elements in Redis's own form, |bytes 4|count 2|entry|…|ff|, into the first
   * {@link #redisLength} bytes of an array.
   */
  public void toRedis(byte[] form) {
    int length = redisLength();
    INT.set(form, 0, length);
    SHORT.set(form, 4, (short) Math.min(count, REDIS_COUNT_MAX));
    System.arraycopy(bytes, start, form, REDIS_HEADER, end - start);
    form[length - 1] = (byte) REDIS_END;
  }

  /**
   * Makes this pack read an array that is in Redis's own form, and checks every byte of it. The
   * array is not copied: a caller that keeps the elements must keep a copy.
   *
   * @return this, or another pack if Redis would have written the elements differently
   * @throws IllegalArgumentException if the form is malformed
   */
  public ListPack readRedis(byte[] array) {
    return readRedis(array, 0, array.length);
  }

  /** Like {@link #readRedis(byte[])}, with a part of an array. */
  public ListPack readRedis(byte[] array, int offset, int length) {
    bytes = array;
    start = offset + REDIS_HEADER;
    end = offset + length - 1;
    count = 0;
    try {
      return isAsWritten(offset, length) ? this : rebuilt();
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("list pack reaches beyond its end", e);
    }
  }

  /**
   * Checks and counts the elements; false if a string is the text of a long, which only a forged
   * pack contains.
   */
  private boolean isAsWritten(int offset, int length) {
    check(length >= REDIS_OVERHEAD && (int) INT.get(bytes, offset) == length, "length");
    check((bytes[end] & 0xff) == REDIS_END, "end");
    boolean hasIntegersAsText = false;
    int at = afterPlain(start);
    while (at < end) {
      check(PackEntry.isKnown(bytes, at), "entry");
      int body = PackEntry.size(bytes, at);
      int back = backLengthSize(body);
      check(body > 0 && body <= end - at - back, "entry's length");
      check(backLength(bytes, at + body, back) == body, "entry's back length");
      hasIntegersAsText |= !isInteger(at) && isLong(at);
      count++;
      at = afterPlain(at + body + back);
    }
    int told = (short) SHORT.get(bytes, offset + 4) & 0xffff;
    check(told == REDIS_COUNT_MAX || told == count, "count");
    return !hasIntegersAsText;
  }

  /**
   * Counts short strings that are sound and begin with a letter, say, as most elements do; returns
   * the position after them. As long as they have one size, the processor need not read it to find
   * the next one: 10,000 elements take 13 microseconds instead of 30.
   */
  private int afterPlain(int at) {
    byte[] array = bytes;
    int found = 0;
    int next = at;
    do {
      at = next;
      byte head = array[at];
      int body = PackEntry.plainSize(array, at);
      int last = end - body;
      while (body > 1
          && next < last
          && array[next] == head
          && array[next + body] == body
          && array[next + 1] > '9') {
        next += body + 1;
        found++;
      }
    } while (next > at);
    count += found;
    return at;
  }

  /** Whether the string at a position is the text of a long. */
  private boolean isLong(int at) {
    return Decimals.isLong(
        bytes, PackEntry.stringOffset(bytes, at), PackEntry.stringLength(bytes, at));
  }

  private ListPack rebuilt() {
    ListPack pack = new ListPack();
    visitAll(pack::append);
    return pack;
  }

  private static int backLength(byte[] form, int at, int size) {
    int body = 0;
    for (int i = 0; i < size; i++) {
      boolean isLower = i > 0; // the first byte, which is read last, has no mark
      check(form[at + i] < 0 == isLower, "entry's back length");
      body = body << 7 | form[at + i] & 0x7f;
    }
    return body;
  }

  private static void check(boolean isSound, String part) {
    if (!isSound) throw new IllegalArgumentException("list pack with a wrong " + part);
  }

  /** A pack of the same elements that does not change; costs nothing until this one changes. */
  ListPack freeze() {
    return share();
  }

  /** A pack of the same elements; costs nothing until it or this one changes. */
  ListPack share() {
    ListPack same = new ListPack();
    same.bytes = bytes;
    same.start = start;
    same.end = end;
    same.count = count;
    same.isShared = true;
    isShared = true;
    return same;
  }

  private void unshare() {
    bytes = bytes.clone();
    isShared = false;
  }

  /** The number of elements. */
  public int size() {
    return count;
  }

  /** The bytes of the entries. */
  public int length() {
    return end - start;
  }

  /** The bytes of the same elements in Redis's own listpack, to which its thresholds apply. */
  public int redisLength() {
    return end - start + REDIS_OVERHEAD;
  }

  /** The approximate size on the heap. */
  public long heapBytes() {
    return 32L + HeapArray.bytes(bytes.length);
  }

  /** Whether one pack may hold that many more bytes. */
  public boolean hasRoomFor(long more) {
    return end - start + more < BYTES_MAX;
  }

  // Walking

  public int first() {
    return start == end ? NONE : start;
  }

  public int last() {
    return start == end ? NONE : before(end);
  }

  public int next(int at) {
    int next = after(at);
    return next == end ? NONE : next;
  }

  public int previous(int at) {
    return at == start ? NONE : before(at);
  }

  /**
   * The position of the element with that index, counted from the end if negative. O(n), from the
   * nearer end.
   */
  public int seek(long index) {
    if (index < 0) index += count;
    if (index < 0 || index >= count) return NONE;
    return index <= count / 2 ? forward((int) index) : backward((int) index);
  }

  private int forward(int index) {
    int at = start;
    while (index-- > 0) at = after(at);
    return at;
  }

  private int backward(int index) {
    int at = end;
    for (int i = count; i > index; i--) at = before(at);
    return at;
  }

  private int after(int at) {
    int body = PackEntry.size(bytes, at);
    return at + body + backLengthSize(body);
  }

  private int before(int at) {
    int body = 0;
    int i = at;
    int shift = 0;
    byte b;
    do {
      b = bytes[--i];
      body |= (b & 0x7f) << shift;
      shift += 7;
    } while (b < 0);
    return i - body;
  }

  // Reading

  public boolean isInteger(int at) {
    return PackEntry.isInteger(bytes, at);
  }

  /** The array that positions are indices into. */
  byte[] array() {
    return bytes;
  }

  /** Where the text of the string at a position begins; not for an integer. */
  int stringOffset(int at) {
    return PackEntry.stringOffset(bytes, at);
  }

  /** The integer at a position; only if {@link #isInteger}. */
  public long integer(int at) {
    return PackEntry.integer(bytes, at);
  }

  /** The bytes of the element's text. */
  public int textLength(int at) {
    return PackEntry.textLength(bytes, at);
  }

  /** The bytes of the longest text among every {@code stride}-th element; 0 if there is none. */
  int longestText(int stride) {
    int longest = 0;
    for (int at = start; at < end; at = skip(at, stride)) {
      longest = Math.max(longest, textLength(at));
    }
    return longest;
  }

  /** The number that the element spells; NaN if it is not in plain notation. */
  double plainDouble(int at) {
    if (isInteger(at)) return integer(at);
    int offset = PackEntry.stringOffset(bytes, at);
    return PlainDouble.parse(bytes, offset, PackEntry.stringLength(bytes, at));
  }

  /** Whether all elements are integers. */
  boolean isAllIntegers() {
    for (int at = start; at < end; at = after(at)) if (!isInteger(at)) return false;
    return true;
  }

  /** Copies all elements to that index; false if one of them is not an integer. */
  boolean copyIntegers(long[] to, int index) {
    byte[] array = bytes;
    for (int at = start; at < end; ) {
      if (!PackEntry.isInteger(array, at)) return false;
      to[index++] = PackEntry.integer(array, at);
      at += PackEntry.size(array, at) + 1; // an integer's back length is one byte
    }
    return true;
  }

  /** A copy of the element's text. */
  public byte[] get(int at) {
    return PackEntry.get(bytes, at);
  }

  /** Visits the element's text. */
  public void visit(int at, BytesVisitor visitor) {
    PackEntry.visit(bytes, at, visitor);
  }

  /** Visits the texts of all elements. */
  public void visitAll(BytesVisitor visitor) {
    for (int at = start; at < end; at = after(at)) visit(at, visitor);
  }

  /** The bytes of all entries without their back lengths. */
  int bodyLength() {
    int length = 0;
    for (int at = start; at < end; at = after(at)) length += PackEntry.size(bytes, at);
    return length;
  }

  /** Copies all entries without their back lengths. */
  void copyBodies(byte[] to, int offset) {
    for (int at = start; at < end; ) {
      int body = PackEntry.size(bytes, at);
      System.arraycopy(bytes, at, to, offset, body);
      offset += body;
      at += body + backLengthSize(body);
    }
  }

  /** Writes the element as a bulk string. */
  public void write(int at, RespWriter out) {
    PackEntry.write(bytes, at, out);
  }

  /** Like {@link #write}, but lends a large element to the output; the next change copies it. */
  public void lend(int at, RespWriter out) {
    if (!isLarge(at)) {
      write(at, out);
      return;
    }
    isShared = true;
    out.bulkShared(bytes, PackEntry.stringOffset(bytes, at), PackEntry.stringLength(bytes, at));
  }

  /**
   * Like {@link #lend}, before the element is removed: if it is large and the only one, the output
   * gets the array.
   */
  void writeLast(int at, RespWriter out) {
    if (count > 1 || isShared || !isLarge(at)) {
      lend(at, out);
      return;
    }
    isShared = true;
    out.bulkOwned(bytes, PackEntry.stringOffset(bytes, at), PackEntry.stringLength(bytes, at));
  }

  private boolean isLarge(int at) {
    return bytes.length >= RespWriter.SHARED_LENGTH_MIN // few packs
        && !isInteger(at)
        && PackEntry.stringLength(bytes, at) >= RespWriter.SHARED_LENGTH_MIN;
  }

  /** The 8 bytes of a string that {@link #insertRaw} has stored. */
  long raw(int at) {
    return (long) LONG.get(bytes, PackEntry.stringOffset(bytes, at));
  }

  public boolean equals(int at, byte[] array, int offset, int length) {
    return PackEntry.equals(bytes, at, array, offset, length);
  }

  /** Compares the element's text with those bytes, unsigned; a prefix comes first. */
  public int compare(int at, byte[] array, int offset, int length) {
    return PackEntry.compare(bytes, at, array, offset, length);
  }

  /** Compares the element's text with that of an element of another pack. */
  int compare(int at, ListPack other, int otherAt) {
    byte[] text = other.get(otherAt);
    return compare(at, text, 0, text.length);
  }

  /**
   * The first element with that text among every {@code stride}-th, beginning with the first. O(n).
   */
  public int find(byte[] array, int offset, int length, int stride) {
    if (Decimals.isLong(array, offset, length)) {
      return find(Decimals.parseLong(array, offset, length), stride);
    }
    return findString(array, offset, length, stride);
  }

  private int findString(byte[] array, int offset, int length, int stride) {
    PackEntry.Sought sought = new PackEntry.Sought(array, offset, length);
    int at = start;
    for (int safe = sought.endOfSafe(bytes, end); at < safe; at = skip(at, stride)) {
      if (sought.isAt(bytes, at)) return at;
    }
    for (; at < end; at = skip(at, stride)) {
      if (PackEntry.equalsString(bytes, at, array, offset, length)) return at;
    }
    return NONE;
  }

  private int find(long value, int stride) {
    for (int at = start; at < end; at = skip(at, stride)) {
      if (PackEntry.equals(bytes, at, value)) return at;
    }
    return NONE;
  }

  /** A search for the elements with one text, from pack to pack. It counts what it compares. */
  public static final class Search {

    private final Slice text;
    private final boolean isLong;
    private final long number;
    private final PackEntry.Sought string;
    private final long compareMax;
    private long left;

    /** A search for a text, which must not change, among up to {@code compareMax} elements. */
    public Search(Slice text, long compareMax) {
      this.text = text;
      isLong = text.isLong();
      number = isLong ? text.toLong() : 0;
      string = new PackEntry.Sought(text.array(), text.offset(), text.length());
      this.compareMax = compareMax;
      left = compareMax;
    }

    /** The number of elements that have been compared. */
    public long compared() {
      return compareMax - left;
    }

    boolean isOver() {
      return left == 0;
    }

    boolean matches(ListPack pack, int at) {
      left--;
      return isAt(pack.bytes, at);
    }

    private boolean isAt(byte[] pack, int at) {
      return isLong
          ? PackEntry.equals(pack, at, number)
          : PackEntry.equalsString(pack, at, text.array(), text.offset(), text.length());
    }

    /** The first such element of a pack from a position on; NONE if there is none. */
    int find(ListPack pack, int at) {
      byte[] bytes = pack.bytes;
      int end = pack.end;
      int safe = isLong ? 0 : string.endOfSafe(bytes, end);
      long unseen = left;
      boolean isFound = false;
      for (; at < safe && unseen > 0 && !isFound; unseen--) {
        isFound = string.isAt(bytes, at);
        if (!isFound) at = pack.after(at);
      }
      for (; at < end && unseen > 0 && !isFound; unseen--) {
        isFound = isAt(bytes, at);
        if (!isFound) at = pack.after(at);
      }
      left = unseen;
      return isFound ? at : NONE;
    }
  }

  /**
   * A function like {@link #find} for different elements among every {@code stride}-th, by a hash
   * table; valid until the next change.
   */
  ToIntFunction<Slice> table(int stride) {
    PackEntry.Distinct elements = new PackEntry.Distinct(count / stride);
    for (int at = start; at < end; at = skip(at, stride)) {
      boolean unused = elements.add(bytes, at);
    }
    return element -> elements.find(bytes, element);
  }

  /**
   * Whether the elements are all different, looking at every {@code stride}-th. Loads call this for
   * every pack; the marks of few elements mostly differ. O(n).
   */
  boolean isDistinct(int stride) {
    long marks = 0;
    for (int at = start; at < end; at = skip(at, stride)) {
      long mark = 1L << PackEntry.mark(bytes, at);
      if ((marks & mark) != 0) return isDistinctInFull(stride);
      marks |= mark;
    }
    return true;
  }

  private boolean isDistinctInFull(int stride) {
    PackEntry.Distinct elements = new PackEntry.Distinct(count / stride);
    for (int at = start; at < end; at = skip(at, stride)) {
      if (!elements.add(bytes, at)) return false;
    }
    return true;
  }

  private int skip(int at, int elements) {
    for (int i = 0; i < elements; i++) at = after(at);
    return at;
  }

  // Changing

  public void append(byte[] array, int offset, int length) {
    if (isShared || bytes.length - end < length + ENTRY_OVERHEAD_MAX) {
      int unused = insertAt(end, array, offset, length);
      return;
    }
    int after = PackEntry.putNext(bytes, end, array, offset, length);
    int body = after - end;
    putBackLength(after, body);
    end = after + backLengthSize(body);
    count++;
  }

  /**
   * Like {@link #append(byte[], int, int)}, for a string that {@link PackEntry#isShort}, no long.
   */
  void appendShort(byte[] array, int offset, int length) {
    boolean isFew = length <= PackEntry.FEW && offset <= array.length - PackEntry.FEW;
    if (!isFew || isShared || bytes.length - end < PackEntry.FEW + 2) {
      append(array, offset, length);
      return;
    }
    PackEntry.putFew(bytes, end, array, offset, length);
    bytes[end + 1 + length] = (byte) (length + 1);
    end += length + 2;
    count++;
  }

  /** The position that the next appended element will have, if the array need not grow. */
  int end() {
    return end;
  }

  /**
   * Takes the elements out into a pack of their own: with the array if it fits, otherwise in a
   * copy.
   */
  ListPack take() {
    if (bytes.length - length() > length() >> TAKEN_ROOM_SHIFT) {
      ListPack copied = copy();
      clear();
      return copied;
    }
    ListPack taken = share();
    taken.isShared = false;
    bytes = EMPTY;
    clear();
    return taken;
  }

  /** Removes the element at a position, which was appended last. */
  void dropLast(int at) {
    end = at;
    count--;
  }

  /**
   * Removes that many elements, by their index, among every {@code stride}-th, and the {@code
   * stride - 1} after each; returns how many there were.
   */
  int removeAll(int elements, IntFunction<Slice> sought, int stride) {
    ToIntFunction<Slice> positions = table(stride);
    BitSet found = new BitSet(end);
    for (int i = 0; i < elements; i++) {
      int at = positions.applyAsInt(sought.apply(i));
      if (at != NONE) found.set(at);
    }
    if (found.isEmpty()) return 0;
    if (isShared) unshare();
    int to = start;
    int from = start;
    for (int at = found.nextSetBit(0); at >= 0; at = found.nextSetBit(at + 1)) {
      System.arraycopy(bytes, from, bytes, to, at - from);
      to += at - from;
      from = skip(at, stride);
    }
    int removed = found.cardinality();
    count -= removed * stride;
    int unused = close(to, from - to);
    return removed;
  }

  /**
   * Makes room in an empty pack for elements that likely have that many bytes with one byte of
   * length each.
   */
  void expect(int elements, long likely) {
    int room = (int) Math.min(likely + elements + EXPECTED_SPARE, EXPECTED_MAX);
    if (bytes.length < room) bytes = new byte[room];
  }

  /** Appends an element of another pack. */
  public void append(ListPack other, int at) {
    int size = other.after(at) - at;
    int to = open(end, size);
    System.arraycopy(other.bytes, at, bytes, to, size);
    count++;
  }

  /**
   * Appends the elements of another pack that this one does not have, until it has more than {@code
   * sizeMax}. Returns the position in the other one where it ended.
   */
  int appendNew(ListPack other, int sizeMax) {
    resize(length(), other.length()); // from now on positions last
    PackEntry.Distinct present = new PackEntry.Distinct(count + other.count);
    for (int at = start; at < end; at = after(at)) {
      boolean unused = present.add(bytes, at);
    }
    int from = other.first();
    for (; from != NONE && count <= sizeMax; from = other.next(from)) {
      int to = end;
      append(other, from);
      if (present.add(bytes, to)) continue;
      end = to;
      count--;
    }
    trim();
    return from;
  }

  public void append(long value) {
    if (!PackEntry.isOneByte(value) || isShared || bytes.length - end < 2) {
      int unused = insertAt(end, value);
      return;
    }
    bytes[end] = (byte) value;
    bytes[end + 1] = 1;
    end += 2;
    count++;
  }

  public void prepend(byte[] array, int offset, int length) {
    int unused = insertAt(start, array, offset, length);
  }

  /** Inserts before the element at {@code at}, or at the end if NONE; returns the new position. */
  public int insert(int at, byte[] array, int offset, int length) {
    return insertAt(at == NONE ? end : at, array, offset, length);
  }

  /** Inserts after the element at {@code at}; returns the new position. */
  public int insertAfter(int at, byte[] array, int offset, int length) {
    return insertAt(after(at), array, offset, length);
  }

  /** Inserts an integer before the element at {@code at}, or at the end if NONE. */
  public int insert(int at, long value) {
    return insertAt(at == NONE ? end : at, value);
  }

  /** Inserts a string of 8 bytes that holds {@code bits}; it never becomes an integer. */
  int insertRaw(int at, long bits) {
    at = open(at == NONE ? end : at, 10);
    PackEntry.putRaw(bytes, at, bits);
    bytes[at + 9] = 9;
    count++;
    return at;
  }

  private int insertAt(int at, byte[] array, int offset, int length) {
    if (Decimals.isLong(array, offset, length)) {
      return insertAt(at, Decimals.parseLong(array, offset, length));
    }
    int body = PackEntry.stringSize(length);
    at = open(at, body + backLengthSize(body));
    PackEntry.putString(bytes, at, array, offset, length);
    putBackLength(at + body, body);
    count++;
    return at;
  }

  private int insertAt(int at, long value) {
    int body = PackEntry.integerSize(value);
    at = open(at, body + 1);
    PackEntry.putInteger(bytes, at, value);
    bytes[at + body] = (byte) body;
    count++;
    return at;
  }

  /** Replaces the element by other text; returns its position. */
  public int replace(int at, byte[] array, int offset, int length) {
    int old = after(at) - at;
    int body = PackEntry.stringSize(length);
    boolean isSameSize = body + backLengthSize(body) == old;
    if (!isSameSize || isShared || Decimals.isLong(array, offset, length)) {
      return dropAfter(insertAt(at, array, offset, length), old);
    }
    PackEntry.putString(bytes, at, array, offset, length);
    putBackLength(at + body, body);
    return at;
  }

  /** Replaces the element by an integer; returns its position. */
  public int replace(int at, long value) {
    int old = after(at) - at;
    return dropAfter(insertAt(at, value), old);
  }

  /**
   * Removes the entry of {@code size} bytes after {@code at}; returns the new position of {@code
   * at}.
   */
  private int dropAfter(int at, int size) {
    int fromStart = at - start;
    int unused = close(after(at), size);
    count--;
    return start + fromStart;
  }

  /** Removes the element; returns the position of the one after it, or NONE. */
  public int delete(int at) {
    return delete(at, 1);
  }

  /**
   * Removes up to {@code elements} elements from {@code at} on; returns the position of the next
   * one.
   */
  public int delete(int at, int elements) {
    int to = at;
    for (int i = 0; i < elements && to < end; i++) {
      to = after(to);
      count--;
    }
    int next = close(at, to - at);
    return next == end ? NONE : next;
  }

  /** Moves all elements from {@code at} on into a new pack. */
  public ListPack split(int at) {
    ListPack tail = new ListPack();
    tail.bytes = Arrays.copyOfRange(bytes, at, end);
    tail.end = tail.bytes.length;
    for (int i = at; i < end; i = after(i)) tail.count++;
    count -= tail.count;
    int unused = close(at, end - at);
    return tail;
  }

  /** Releases the room on both sides, except for little room around much. */
  public void trim() {
    int room = bytes.length - length();
    int kept = length() < KEPT_ROOM_MIN ? 0 : length() >> KEPT_ROOM_SHIFT;
    if (room > kept) resize(length(), 0);
  }

  /** Removes all elements; their bytes become room for others. */
  public void clear() {
    if (isShared) bytes = EMPTY;
    isShared = false;
    start = 0;
    end = 0;
    count = 0;
  }

  /** Makes {@code size} bytes of room at {@code at}; returns the position where it begins. */
  private int open(int at, int size) {
    if (isShared) unshare();
    if (at == end && bytes.length - end >= size) {
      end += size;
      return at;
    }
    int head = at - start;
    int tail = end - at;
    if (head < tail && start >= size) return openBackwards(at, size);
    if (bytes.length - end >= size) {
      System.arraycopy(bytes, at, bytes, at + size, tail);
      end += size;
      return at;
    }
    return grow(at, size);
  }

  private int openBackwards(int at, int size) {
    System.arraycopy(bytes, start, bytes, start - size, at - start);
    start -= size;
    return at - size;
  }

  private int grow(int at, int size) {
    int head = at - start;
    int tail = end - at;
    long wanted = (long) head + tail + size;
    if (wanted > BYTES_MAX) throw new IllegalStateException("list pack too long: bytes=" + wanted);
    int room = (int) Math.min(wanted / 4, ROOM_MAX) + 8;
    byte[] grown = new byte[(int) wanted + room];
    int from = head < tail ? room : 0;
    System.arraycopy(bytes, start, grown, from, head);
    System.arraycopy(bytes, at, grown, from + head + size, tail);
    bytes = grown;
    start = from;
    end = from + (int) wanted;
    return from + head;
  }

  /** Removes {@code size} bytes at {@code at}; returns the position of the bytes after them. */
  private int close(int at, int size) {
    if (size == end - start) {
      if (bytes.length > SHRINK_MIN) bytes = EMPTY;
      clear();
      return 0;
    }
    if (isShared) unshare();
    int head = at - start;
    int tail = end - at - size;
    if (head < tail) {
      System.arraycopy(bytes, start, bytes, start + size, head);
      start += size;
    } else {
      System.arraycopy(bytes, at + size, bytes, at, tail);
      end -= size;
    }
    if (bytes.length > SHRINK_MIN && end - start < bytes.length / 4) resize(end - start, 8);
    return start + head;
  }

  private void resize(int length, int room) {
    byte[] resized = new byte[length + room];
    System.arraycopy(bytes, start, resized, 0, length);
    bytes = resized;
    start = 0;
    end = length;
  }

  private static int backLengthSize(int body) {
    if (body <= 127) return 1;
    if (body < 16_383) return 2;
    if (body < 2_097_151) return 3;
    return body < 268_435_455 ? 4 : 5;
  }

  private void putBackLength(int at, int body) {
    int size = backLengthSize(body);
    for (int i = at + size - 1; i > at; i--) {
      bytes[i] = (byte) (body & 0x7f | 0x80);
      body >>>= 7;
    }
    bytes[at] = (byte) body;
  }
}
