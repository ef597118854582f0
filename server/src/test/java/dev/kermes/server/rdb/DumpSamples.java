package dev.kermes.server.rdb;

import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.stream.StreamId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A dump in each form that a value has or ever had in a file. Forms that no server writes any more
 * are built here byte by byte. All collections have the elements "a" and 12, and more.
 */
public final class DumpSamples {

  /** The length of version and checksum. */
  public static final int FOOTER_LENGTH = 10;

  private static final String LONG = "long enough to be compressed ".repeat(12);
  private static final long FAR_MILLIS = 4_102_444_800_000L;

  private final Map<String, byte[]> dumps = new LinkedHashMap<>();

  private DumpSamples() {}

  /** All samples by name, as RESTORE takes them. */
  public static Map<String, byte[]> all() {
    DumpSamples samples = new DumpSamples();
    samples.strings();
    samples.lists();
    samples.sets();
    samples.sortedSets();
    samples.hashes();
    samples.streams();
    samples.array();
    return samples.dumps;
  }

  /**
   * A stream of two entries whose length field says {@code told}. Redis 5 has written some such
   * streams.
   */
  public static byte[] streamThatTells(int told) {
    DumpSamples samples = new DumpSamples();
    int type = RdbFormat.STREAM_LISTPACKS;
    samples.add("stream", type, 9, out -> stream(out, type, told));
    return Objects.requireNonNull(samples.dumps.get("stream"));
  }

  /** A body with the version of another dump and a correct checksum. */
  public static byte[] seal(byte[] body, byte[] like) {
    byte[] sealed = Arrays.copyOf(body, body.length + FOOTER_LENGTH);
    System.arraycopy(like, like.length - FOOTER_LENGTH, sealed, body.length, 2);
    long checksum = Crc64.of(sealed, body.length + 2);
    little(sealed).putLong(body.length + 2, checksum);
    return sealed;
  }

  /** The format version of a dump. */
  public static int version(byte[] dump) {
    return dump[dump.length - FOOTER_LENGTH];
  }

  private void add(String name, int type, int version, Consumer<RdbOutput> content) {
    RdbOutput out = new RdbOutput(true);
    out.put(type);
    content.accept(out);
    byte[] footer = new byte[FOOTER_LENGTH];
    footer[0] = (byte) version;
    dumps.put(name, seal(out.toByteArray(), footer));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void put(RdbOutput out, String... texts) {
    for (String text : texts) out.putString(bytes(text));
  }

  private void strings() {
    add("text", RdbFormat.STRING, 1, out -> put(out, "some text"));
    add("compressed text", RdbFormat.STRING, 1, out -> put(out, LONG));
    add("number of 1 byte", RdbFormat.STRING, 1, out -> put(out, "-12"));
    add("number of 2 bytes", RdbFormat.STRING, 1, out -> put(out, "12345"));
    add("number of 4 bytes", RdbFormat.STRING, 1, out -> put(out, "123456789"));
  }

  private void lists() {
    add(
        "list",
        RdbFormat.LIST,
        1,
        out -> {
          out.putLength(3);
          put(out, "a", "12", LONG);
        });
    byte[] ziplist = ziplist("a", 12L, -100L, 30_000L, 8_000_000L, 2_000_000_000L, 1L << 40, LONG);
    add("list, ziplist", RdbFormat.LIST_ZIPLIST, 6, out -> out.putString(ziplist));
    add(
        "list, quicklist",
        RdbFormat.LIST_QUICKLIST,
        9,
        out -> {
          out.putLength(2);
          out.putString(ziplist);
          out.putString(ziplist("x".repeat(20_000), "b"));
        });
    add(
        "list, quicklist 2",
        RdbFormat.LIST_QUICKLIST_2,
        10,
        out -> {
          out.putLength(2);
          out.putLength(2);
          out.putString(listPack("a", "12", "-5000", "8000000", "2000000000", "99999999999", LONG));
          out.putLength(1);
          put(out, "y".repeat(10_000));
        });
  }

  private void sets() {
    add(
        "set",
        RdbFormat.SET,
        1,
        out -> {
          out.putLength(3);
          put(out, "a", "12", "c");
        });
    add("set, intset of 2", RdbFormat.SET_INTSET, 2, out -> out.putString(intSet(2, 12, 500)));
    add("set, intset of 4", RdbFormat.SET_INTSET, 2, out -> out.putString(intSet(4, 12, 70_000)));
    add(
        "set, intset of 8",
        RdbFormat.SET_INTSET,
        2,
        out -> out.putString(intSet(8, -1L << 40, 12)));
    add(
        "set, listpack",
        RdbFormat.SET_LISTPACK,
        11,
        out -> out.putString(listPack("a", "12", "c")));
  }

  private void sortedSets() {
    add(
        "zset",
        RdbFormat.ZSET,
        1,
        out -> {
          out.putLength(4);
          put(out, "a");
          putScore(out, "1.5");
          put(out, "12");
          putScore(out, "-3e10");
          put(out, "high");
          out.put(254);
          put(out, "low");
          out.put(255);
        });
    add(
        "zset 2",
        RdbFormat.ZSET_2,
        8,
        out -> {
          out.putLength(2);
          put(out, "a");
          out.putLong(Double.doubleToLongBits(1.5));
          put(out, "12");
          out.putLong(Double.doubleToLongBits(Double.NEGATIVE_INFINITY));
        });
    byte[] ziplist = ziplist("a", "1.5", 12L, 3L, "high", "inf");
    add("zset, ziplist", RdbFormat.ZSET_ZIPLIST, 2, out -> out.putString(ziplist));
    byte[] pack = listPack("a", "1.5", "12", "3", "high", "inf");
    add("zset, listpack", RdbFormat.ZSET_LISTPACK, 10, out -> out.putString(pack));
  }

  private static void putScore(RdbOutput out, String text) {
    out.put(text.length());
    out.put(bytes(text), 0, text.length());
  }

  private void hashes() {
    add(
        "hash",
        RdbFormat.HASH,
        1,
        out -> {
          out.putLength(2);
          put(out, "a", "1", "12", LONG);
        });
    add("hash, zipmap", RdbFormat.HASH_ZIPMAP, 1, out -> out.putString(zipMap()));
    byte[] ziplist = ziplist("a", 1L, 12L, LONG);
    add("hash, ziplist", RdbFormat.HASH_ZIPLIST, 4, out -> out.putString(ziplist));
    byte[] pack = listPack("a", "1", "12", LONG);
    add("hash, listpack", RdbFormat.HASH_LISTPACK, 10, out -> out.putString(pack));
    add(
        "hash of Redis 7.4 with expiry, before its release",
        RdbFormat.HASH_METADATA_PRE_GA,
        12,
        out -> {
          out.putLength(2);
          out.putLength(FAR_MILLIS);
          put(out, "a", "1");
          out.putLength(0);
          put(out, "12", "2");
        });
    add(
        "hash of Valkey with expiry",
        RdbFormat.HASH_METADATA_PRE_GA,
        RdbFormat.VERSION_VALKEY,
        out -> {
          out.putLength(2);
          put(out, "a", "1");
          out.putLong(FAR_MILLIS);
          put(out, "12", "2");
          out.putLong(-1);
        });
    add(
        "hash with expiry",
        RdbFormat.HASH_METADATA,
        12,
        out -> {
          out.putLong(FAR_MILLIS);
          out.putLength(2);
          out.putLength(1);
          put(out, "a", "1");
          out.putLength(0);
          put(out, "12", "2");
        });
    byte[] triples = listPack("a", "1", "" + FAR_MILLIS, "12", "2", "0");
    add(
        "hash, listpack with expiry",
        RdbFormat.HASH_LISTPACK_EX,
        12,
        out -> {
          out.putLong(FAR_MILLIS);
          out.putString(triples);
        });
    add(
        "hash, listpack with expiry, before its release",
        RdbFormat.HASH_LISTPACK_EX_PRE_GA,
        12,
        out -> out.putString(triples));
  }

  private void streams() {
    int[] types = {
      RdbFormat.STREAM_LISTPACKS,
      RdbFormat.STREAM_LISTPACKS_2,
      RdbFormat.STREAM_LISTPACKS_3,
      RdbFormat.STREAM_LISTPACKS_4,
      RdbFormat.STREAM_LISTPACKS_5
    };
    int[] versions = {9, 10, 11, 14, 14};
    for (int i = 0; i < types.length; i++) {
      int type = types[i];
      add("stream " + (i + 1), type, versions[i], out -> stream(out, type, 2));
    }
  }

  /**
   * Entries 1000-1 (deleted), 1005-0 and 1006-0, and a group that has read two, one of them
   * pending.
   */
  private static void stream(RdbOutput out, int type, int told) {
    out.putLength(1);
    out.putLength(16);
    out.putId(new StreamId(1000, 1));
    out.putString(
        listPack(
            "2", "1", "2", "a", "12", "0", // counts, shared fields
            "3", "0", "0", "v", "w", "5", // deleted, shared fields
            "2", "5", "-1", "v", "w", "5", "0", "6", "-1", "1", "b", LONG, "6"));
    out.putLength(told);
    out.putLengths(new StreamId(1006, 0));
    if (type >= RdbFormat.STREAM_LISTPACKS_2) {
      out.putLengths(new StreamId(1005, 0));
      out.putLengths(new StreamId(1000, 1));
      out.putLength(3);
    }
    out.putLength(1);
    put(out, "group");
    out.putLengths(new StreamId(1005, 0));
    if (type >= RdbFormat.STREAM_LISTPACKS_2) out.putLength(2);
    out.putLength(1);
    out.putId(new StreamId(1005, 0));
    out.putLong(1_700_000_000_000L);
    out.putLength(1);
    out.putLength(1);
    put(out, "consumer");
    out.putLong(1_700_000_000_000L);
    if (type >= RdbFormat.STREAM_LISTPACKS_3) out.putLong(1_700_000_000_000L);
    out.putLength(1);
    out.putId(new StreamId(1005, 0));
    if (type >= RdbFormat.STREAM_LISTPACKS_5) out.putLength(0);
    if (type >= RdbFormat.STREAM_LISTPACKS_4) producers(out);
  }

  private static void producers(RdbOutput out) {
    out.putLength(100);
    out.putLength(100);
    out.putLength(1);
    put(out, "producer");
    out.putLength(1);
    put(out, "iid");
    out.putLengths(new StreamId(1006, 0));
    out.putLength(1);
    out.putLength(0);
  }

  private void array() {
    add(
        "array",
        RdbFormat.ARRAY,
        14,
        out -> {
          out.putLength(5);
          out.putLength(1);
          out.putLength(7);
          out.putLength(0);
          out.putLength(0);
          put(out, "a");
          out.putLength(2);
          out.putLength(1);
          out.putLong(12);
          out.putLength(3);
          out.putLength(2);
          out.putLong(Double.doubleToLongBits(2.5));
          out.putLength(5);
          out.putLength(3);
          put(out, "short");
          out.putLength(1L << 40);
          out.putLength(0);
          put(out, LONG);
        });
  }

  // Packed forms

  private static byte[] listPack(String... elements) {
    ListPack pack = new ListPack();
    for (String element : elements) {
      byte[] text = bytes(element);
      pack.append(text, 0, text.length);
    }
    return pack.toRedis();
  }

  private static byte[] intSet(int width, long... values) {
    byte[] form = new byte[8 + width * values.length];
    ByteBuffer out = little(form).putInt(width).putInt(values.length);
    for (long value : values) {
      switch (width) {
        case 2 -> out.putShort((short) value);
        case 4 -> out.putInt((int) value);
        default -> out.putLong(value);
      }
    }
    return form;
  }

  private static byte[] zipMap() {
    byte[] form = new byte[1000];
    ByteBuffer out = little(form);
    out.put((byte) 2).put((byte) 1).put(bytes("a")).put((byte) 1).put((byte) 2).put(bytes("1??"));
    out.put((byte) 2).put(bytes("12")).put((byte) 254).putInt(LONG.length()).put((byte) 0);
    out.put(bytes(LONG)).put((byte) 0xff);
    return Arrays.copyOf(form, out.position());
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A ziplist of numbers (Long) and texts, each in its shortest form. */
  private static byte[] ziplist(Object... elements) {
    byte[] form = new byte[50_000];
    ByteBuffer out = little(form).position(10);
    int last = 10;
    int before = 0;
    for (Object element : elements) {
      last = out.position();
      if (before < 254) out.put((byte) before);
      else out.put((byte) 254).putInt(before);
      if (element instanceof Long number) ziplistNumber(out, number);
      else ziplistText(out, bytes(element.toString()));
      before = out.position() - last;
    }
    out.put((byte) 0xff);
    out.putInt(0, out.position()).putInt(4, last).putShort(8, (short) elements.length);
    return Arrays.copyOf(form, out.position());
  }

  private static void ziplistText(ByteBuffer out, byte[] text) {
    if (text.length < 64) out.put((byte) text.length);
    else if (text.length < 16_384)
      out.put((byte) (0x40 | text.length >> 8)).put((byte) text.length);
    else out.put((byte) 0x80).putInt(Integer.reverseBytes(text.length));
    out.put(text);
  }

  private static void ziplistNumber(ByteBuffer out, long number) {
    if (number >= 0 && number <= 12) out.put((byte) (0xf1 + number));
    else if (number == (byte) number) out.put((byte) 0xfe).put((byte) number);
    else if (number == (short) number) out.put((byte) 0xc0).putShort((short) number);
    else if (number == number << 40 >> 40) {
      out.put((byte) 0xf0).put((byte) number).put((byte) (number >> 8)).put((byte) (number >> 16));
    } else if (number == (int) number) out.put((byte) 0xd0).putInt((int) number);
    else out.put((byte) 0xe0).putLong(number);
  }
}
