package dev.kermes.server.rdb;

import dev.kermes.resp.Decimals;
import dev.kermes.server.data.BytesVisitor;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The packed forms of earlier versions: ziplists (before 7.0), zipmaps (before 2.6), and intsets.
 *
 * <pre>
 *   ziplist  |bytes 4|offset of last 4|count 2|entry|…|ff|
 *   entry    |length of the one before: 1, or fe and 4|string or integer|
 *   zipmap   |count|length|field|length|free 1|value|free bytes|…|ff|     length: 1, or fe and 4
 *   intset   |width 4|count 4|element|…|
 * </pre>
 *
 * Every method throws IllegalArgumentException if the form is malformed.
 */
final class LegacyEncodings {

  private static final int END = 0xff;
  private static final int LONG_LENGTH = 0xfe;
  private static final int ZIPLIST_HEADER = 10;
  private static final int COUNT_MAX = 0xffff;

  private final ByteBuffer in;
  private final BytesVisitor visitor;

  private LegacyEncodings(byte[] form, BytesVisitor visitor) {
    in = ByteBuffer.wrap(form).order(ByteOrder.LITTLE_ENDIAN);
    this.visitor = visitor;
  }

  static void visitZipList(byte[] form, BytesVisitor visitor) {
    run(new LegacyEncodings(form, visitor)::zipList);
  }

  /** Visits fields and values alternately. */
  static void visitZipMap(byte[] form, BytesVisitor visitor) {
    run(new LegacyEncodings(form, visitor)::zipMap);
  }

  static void visitIntSet(byte[] form, BytesVisitor visitor) {
    run(new LegacyEncodings(form, visitor)::intSet);
  }

  private static void run(Runnable walk) {
    try {
      walk.run();
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("reaches beyond its end", e);
    }
  }

  private static void check(boolean isSound, String part) {
    if (!isSound) throw new IllegalArgumentException("wrong " + part);
  }

  private int get() {
    return in.get() & 0xff;
  }

  private void zipList() {
    check(in.getInt() == in.capacity(), "length");
    int last = in.getInt();
    int told = in.getShort() & 0xffff;
    int count = 0;
    int before = 0;
    int start = ZIPLIST_HEADER;
    while (in.get(in.position()) != (byte) END) {
      int at = in.position();
      check(lengthOfOneBefore() == before, "length of the entry before");
      zipEntry();
      before = in.position() - at;
      start = at;
      count++;
    }
    check(in.remaining() == 1, "end");
    check(last == start, "offset of the last entry");
    check(told == COUNT_MAX || told == count, "count");
  }

  private int lengthOfOneBefore() {
    int length = get();
    return length < LONG_LENGTH ? length : in.getInt();
  }

  private void zipEntry() {
    int head = get();
    switch (head >> 6) {
      case 0 -> show(head);
      case 1 -> show((head & 0x3f) << 8 | get());
      case 2 -> show(Integer.reverseBytes(in.getInt()));
      default -> show(zipInteger(head));
    }
  }

  private long zipInteger(int head) {
    return switch (head) {
      case 0xc0 -> in.getShort();
      case 0xd0 -> in.getInt();
      case 0xe0 -> in.getLong();
      case 0xf0 -> get() | get() << 8 | in.get() << 16;
      case 0xfe -> in.get();
      default -> {
        check(head > 0xf0 && head < 0xfe, "entry");
        yield head - 0xf1;
      }
    };
  }

  /** Visits the next {@code length} bytes. */
  private void show(int length) {
    check(length >= 0 && length <= in.remaining(), "length of an entry");
    visitor.visit(in.array(), in.position(), length);
    in.position(in.position() + length);
  }

  private void show(long value) {
    byte[] text = new byte[Decimals.length(value)];
    visitor.visit(text, 0, Decimals.put(text, 0, value));
  }

  private void zipMap() {
    int told = get();
    int count = 0;
    for (int length = get(); length != END; length = get()) {
      show(zipMapLength(length));
      int valueLength = zipMapLength(get());
      int free = get();
      show(valueLength);
      check(free <= in.remaining(), "room behind a value");
      in.position(in.position() + free);
      count++;
    }
    check(!in.hasRemaining(), "end");
    check(count > 0 && (told >= LONG_LENGTH || told == count), "count");
  }

  private int zipMapLength(int first) {
    check(first != END, "length");
    return first < LONG_LENGTH ? first : in.getInt();
  }

  private void intSet() {
    int width = in.getInt();
    long count = in.getInt() & 0xffff_ffffL;
    check(width == 2 || width == 4 || width == 8, "width");
    check(count * width == in.remaining(), "count");
    for (long i = 0; i < count; i++) {
      show(width == 2 ? in.getShort() : width == 4 ? in.getInt() : in.getLong());
    }
  }
}
