package dev.kermes.server.rdb;

import dev.kermes.resp.Decimals;
import dev.kermes.server.data.BytesVisitor;
import dev.kermes.server.data.Elements;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.data.ListPack;
import dev.kermes.server.data.PlainDouble;
import dev.kermes.server.data.RedisArray;
import dev.kermes.server.data.RedisHash;
import dev.kermes.server.data.RedisList;
import dev.kermes.server.data.RedisSet;
import dev.kermes.server.data.RedisSortedSet;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.Value;
import dev.kermes.server.data.stream.RedisStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of every version. Values get the form that is configured here, whatever their form
 * in the file. They are rebuilt element by element, so that nothing malformed enters the keyspace.
 * Only list packs are kept as they are, after a check.
 */
public final class ValueReader {

  /** A method that reads the values of a type. */
  private interface Form {
    Object read(ValueReader reader, int type) throws IOException;
  }

  /**
   * By type. The JIT compiler does not see through calls by a table, so it compiles each form
   * separately. One method for all forms took an eighth of what it compiled during a load of a
   * million keys.
   */
  private static final @Nullable Form[] FORMS = forms();

  private static final int PLAIN_NODE = 1;
  private static final int PACKED_NODE = 2;

  private static final int ARRAY_INTEGER = 1;
  private static final int ARRAY_DOUBLE = 2;
  private static final int ARRAY_SHORT_TEXT = 3;

  /** 1,024: as many elements get room at once; more only when they have been read. */
  private static final int EXPECTED_MAX = 1024;

  private static final String MEMBER_TWICE = "the same member twice";
  private static final String NOT_A_SCORE = "a score that is not a number";
  private static final String TWICE = "the same field twice";

  private static final int NOT_A_NUMBER = 253;
  private static final int INFINITE = 254;
  private static final int MINUS_INFINITE = 255;

  private final RdbInput in;
  private final int version;
  private final EncodingLimits limits;
  private final long hashSeed;
  private final long nowMillis;

  /** Whether the values come from a file rather than from a client's payload. */
  private boolean isFromFile;

  /** The elements of the value that is being read. */
  private final Elements elements = new Elements();

  /** The element, or the field and its value, that the value takes next. */
  private final Slice element = new Slice();

  private final Slice fieldValue = new Slice();

  /** Space for packing the elements of a value. */
  private final ListPack room = new ListPack();

  /** {@code version}: of the file; some forms of Valkey differ from those of Redis. */
  public ValueReader(
      RdbInput in, int version, EncodingLimits limits, long hashSeed, long nowMillis) {
    this.in = in;
    this.version = version;
    this.limits = limits;
    this.hashSeed = hashSeed;
    this.nowMillis = nowMillis;
  }

  /** Reads values of a file, some of which have small faults that old servers have made. */
  ValueReader fromFile() {
    isFromFile = true;
    return this;
  }

  /**
   * Reads a value of a type: a {@link Value}, or a string as a byte[]. A collection may be empty.
   */
  public Object read(int type) throws IOException {
    try {
      return readAny(type);
    } catch (IllegalArgumentException e) {
      throw in.wrong(form(type) + " integrity check failed: " + e.getMessage());
    }
  }

  /** The name of a type's form in the words of Redis's log. */
  private static String form(int type) {
    return switch (type) {
      case RdbFormat.HASH_ZIPMAP -> "Zipmap";
      case RdbFormat.HASH_ZIPLIST -> "Hash ziplist";
      case RdbFormat.HASH_LISTPACK -> "Hash listpack";
      case RdbFormat.ZSET_ZIPLIST -> "Zset ziplist";
      case RdbFormat.ZSET_LISTPACK -> "Zset listpack";
      case RdbFormat.SET_INTSET -> "Intset";
      case RdbFormat.SET_LISTPACK -> "Set listpack";
      case RdbFormat.LIST_ZIPLIST -> "List ziplist";
      case RdbFormat.LIST_QUICKLIST, RdbFormat.LIST_QUICKLIST_2 -> "Quicklist";
      case RdbFormat.STREAM_LISTPACKS,
          RdbFormat.STREAM_LISTPACKS_2,
          RdbFormat.STREAM_LISTPACKS_3,
          RdbFormat.STREAM_LISTPACKS_4,
          RdbFormat.STREAM_LISTPACKS_5 ->
          "Stream listpack";
      default -> "Value of type " + type;
    };
  }

  /** Whether the value is a collection without elements, which a keyspace cannot have. */
  static boolean isEmpty(Object value) {
    return value instanceof Value some && !(some instanceof RedisStream) && some.size() == 0;
  }

  private Object readAny(int type) throws IOException {
    Form form = type < FORMS.length ? FORMS[type] : null;
    if (form == null) throw in.wrong("unknown type of value: type=" + type);
    return form.read(this, type);
  }

  private static @Nullable Form[] forms() {
    @Nullable Form[] forms = new Form[RdbFormat.ARRAY + 1];
    forms[RdbFormat.STRING] = (reader, type) -> reader.in.getString();
    forms[RdbFormat.LIST] = (reader, type) -> reader.listOf(reader.strings());
    forms[RdbFormat.LIST_ZIPLIST] = ValueReader::list;
    forms[RdbFormat.LIST_QUICKLIST] = ValueReader::list;
    forms[RdbFormat.LIST_QUICKLIST_2] = ValueReader::list;
    forms[RdbFormat.SET] = (reader, type) -> reader.set();
    forms[RdbFormat.SET_INTSET] = (reader, type) -> reader.setOfIntegers();
    forms[RdbFormat.SET_LISTPACK] = (reader, type) -> reader.setOf(reader.in.getPack());
    forms[RdbFormat.ZSET] = ValueReader::sortedSet;
    forms[RdbFormat.ZSET_2] = ValueReader::sortedSet;
    forms[RdbFormat.ZSET_ZIPLIST] =
        (reader, type) -> reader.sortedSetOf(reader.elements(LegacyEncodings::visitZipList));
    forms[RdbFormat.ZSET_LISTPACK] = (reader, type) -> reader.sortedSetOf(reader.in.getPack());
    forms[RdbFormat.HASH] = (reader, type) -> reader.hash();
    forms[RdbFormat.HASH_ZIPMAP] =
        (reader, type) ->
            reader.hashOf(
                reader.elements(LegacyEncodings::visitZipMap), "zipmap with dup elements");
    forms[RdbFormat.HASH_ZIPLIST] =
        (reader, type) ->
            reader.hashOf(
                reader.elements(LegacyEncodings::visitZipList), "ziplist with dup elements");
    forms[RdbFormat.HASH_LISTPACK] =
        (reader, type) -> reader.hashOf(reader.in.getPack(), "listpack with dup elements");
    forms[RdbFormat.HASH_METADATA_PRE_GA] = (reader, type) -> reader.hashOfItsTime();
    forms[RdbFormat.HASH_METADATA] =
        (reader, type) -> reader.hashWithExpiry(reader.in.getLong() - 1);
    forms[RdbFormat.HASH_LISTPACK_EX] =
        (reader, type) -> {
          long unused = reader.in.getLong();
          return reader.packedHashWithExpiry();
        };
    forms[RdbFormat.HASH_LISTPACK_EX_PRE_GA] = (reader, type) -> reader.packedHashWithExpiry();
    forms[RdbFormat.STREAM_LISTPACKS] = ValueReader::stream;
    forms[RdbFormat.STREAM_LISTPACKS_2] = ValueReader::stream;
    forms[RdbFormat.STREAM_LISTPACKS_3] = ValueReader::stream;
    forms[RdbFormat.STREAM_LISTPACKS_4] = ValueReader::stream;
    forms[RdbFormat.STREAM_LISTPACKS_5] = ValueReader::stream;
    forms[RdbFormat.ARRAY] = (reader, type) -> reader.array();
    forms[RdbFormat.MODULE_PRE_GA] = ValueReader::module;
    forms[RdbFormat.MODULE_2] = (reader, type) -> new ModuleReader(reader.in).read();
    return forms;
  }

  private RedisStream stream(int type) throws IOException {
    return new StreamReader(in, type, limits, nowMillis, isFromFile).read();
  }

  private Object module(int type) throws IOException {
    throw in.wrong("a module's value in the old form, whose end only the module knows");
  }

  // Elements of any packed form

  private Elements strings() throws IOException {
    return strings(in.getCount(1));
  }

  private Elements strings(int count) throws IOException {
    elements.clear();
    elements.expect(Math.min(count, EXPECTED_MAX));
    for (int i = 0; i < count; i++) {
      in.getLasting(element);
      elements.visit(element.array(), element.offset(), element.length());
    }
    return elements;
  }

  private Elements elements(BiConsumer<byte[], BytesVisitor> form) throws IOException {
    elements.clear();
    form.accept(in.getString(), elements);
    return elements;
  }

  private Elements elements(ListPack pack) {
    elements.clear();
    pack.visitAll(elements);
    return elements;
  }

  private static void check(boolean isSound, String message) {
    if (!isSound) throw new IllegalArgumentException(message);
  }

  // Lists

  private RedisList list(int type) throws IOException {
    int nodes = type == RdbFormat.LIST_ZIPLIST ? 1 : in.getCount(1);
    RedisList list = new RedisList();
    for (int i = 0; i < nodes; i++) {
      long container = type == RdbFormat.LIST_QUICKLIST_2 ? in.getLength() : PACKED_NODE;
      check(container == PLAIN_NODE || container == PACKED_NODE, "unknown container of a list");
      boolean isPack = container == PACKED_NODE && type == RdbFormat.LIST_QUICKLIST_2;
      if (isPack) list.pushTail(in.getPack().copy(), limits);
      else readNode(container, list);
    }
    return list;
  }

  private void readNode(long container, RedisList list) throws IOException {
    byte[] node = in.getString();
    check(node.length > 0, "a node without bytes");
    if (container == PLAIN_NODE) push(list, node, 0, node.length);
    else LegacyEncodings.visitZipList(node, pushing(list));
  }

  private BytesVisitor pushing(RedisList list) {
    return (array, offset, length) -> push(list, array, offset, length);
  }

  private void push(RedisList list, byte[] array, int offset, int length) {
    list.growing(1, length, limits);
    list.pushTail(element.wrap(array, offset, length), limits);
  }

  private RedisList listOf(Elements elements) {
    RedisList list = new RedisList();
    for (int i = 0; i < elements.count(); i++) {
      push(list, elements.array(i), elements.offset(i), elements.length(i));
    }
    return list;
  }

  // Sets

  private RedisSet set() throws IOException {
    int count = in.getCount(1);
    if (count > limits.setMaxListpackEntries()) return setOf(strings(count));
    RedisSet.Builder set = new RedisSet.Builder(count, in.likely(), room, limits, hashSeed);
    int left = count;
    while (left > 0) {
      int added = set.addShort(in.ahead(), left);
      in.skipToAhead();
      left -= added;
      if (added > 0) continue;
      in.getLasting(element);
      check(set.add(element), MEMBER_TWICE);
      left--;
    }
    return set.build();
  }

  private RedisSet setOf(Elements members) {
    return distinct(RedisSet.of(members, room, limits, hashSeed));
  }

  private RedisSet setOf(ListPack members) {
    return distinct(RedisSet.of(members, limits, hashSeed));
  }

  private static RedisSet distinct(@Nullable RedisSet set) {
    if (set == null) throw new IllegalArgumentException(MEMBER_TWICE);
    return set;
  }

  private RedisSet setOfIntegers() throws IOException {
    byte[] form = in.getString();
    RedisSet set = RedisSet.ofIntegers(form, limits, hashSeed);
    if (set != null) return set;
    elements.clear();
    LegacyEncodings.visitIntSet(form, elements);
    return setOf(elements);
  }

  // Sorted sets

  private RedisSortedSet sortedSet(int type) throws IOException {
    int count = in.getCount(2);
    if (count <= limits.zsetMaxListpackEntries()) return smallSortedSet(type, count);
    RedisSortedSet set = new RedisSortedSet(hashSeed);
    set.growing(count, limits);
    for (int i = 0; i < count; i++) {
      byte[] member = in.getString();
      double score = type == RdbFormat.ZSET_2 ? in.getDouble() : textScore();
      put(set, member, 0, member.length, score);
    }
    return set;
  }

  private RedisSortedSet smallSortedSet(int type, int count) throws IOException {
    RedisSortedSet.Builder set =
        new RedisSortedSet.Builder(count, in.likely(), room, limits, hashSeed);
    int left = count;
    while (left > 0) {
      int added = type == RdbFormat.ZSET_2 ? addShort(set, left) : 0;
      left -= added;
      if (added > 0) continue;
      in.getLasting(element);
      double score = type == RdbFormat.ZSET_2 ? in.getDouble() : textScore();
      check(!Double.isNaN(score), NOT_A_SCORE);
      set.add(element, score);
      left--;
    }
    RedisSortedSet built = set.build();
    if (built == null) throw new IllegalArgumentException(MEMBER_TWICE);
    return built;
  }

  private int addShort(RedisSortedSet.Builder set, int most) {
    int added = set.addShort(in.ahead(), most);
    in.skipToAhead();
    return added;
  }

  private double textScore() throws IOException {
    int length = in.get();
    return switch (length) {
      case NOT_A_NUMBER -> Double.NaN;
      case INFINITE -> Double.POSITIVE_INFINITY;
      case MINUS_INFINITE -> Double.NEGATIVE_INFINITY;
      default -> score(in.getBytes(length));
    };
  }

  private RedisSortedSet sortedSetOf(Elements membersAndScores) {
    check(membersAndScores.count() % 2 == 0, "a member without a score");
    RedisSortedSet set = new RedisSortedSet(hashSeed);
    set.growing(membersAndScores.count() / 2, limits);
    for (int i = 0; i < membersAndScores.count(); i += 2) {
      put(
          set,
          membersAndScores.array(i),
          membersAndScores.offset(i),
          membersAndScores.length(i),
          score(membersAndScores, i + 1));
    }
    return set;
  }

  private RedisSortedSet sortedSetOf(ListPack membersAndScores) {
    check(membersAndScores.size() % 2 == 0, "a member without a score");
    RedisSortedSet set = RedisSortedSet.ofOrdered(membersAndScores, room, limits, hashSeed);
    return set != null ? set : sortedSetOf(elements(membersAndScores));
  }

  private static double score(Elements elements, int index) {
    double plain =
        PlainDouble.parse(elements.array(index), elements.offset(index), elements.length(index));
    return Double.isNaN(plain) ? score(elements.get(index)) : plain;
  }

  private static double score(byte[] text) {
    String score = new String(text, StandardCharsets.ISO_8859_1);
    return switch (score) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(score);
    };
  }

  private void put(RedisSortedSet set, byte[] array, int offset, int length, double score) {
    check(!Double.isNaN(score), NOT_A_SCORE);
    check(set.add(element.wrap(array, offset, length), score, limits), MEMBER_TWICE);
  }

  // Hashes

  private RedisHash hash() throws IOException {
    int count = in.getCount(2);
    RedisHash.Builder hash = new RedisHash.Builder(count, in.likely(), limits, hashSeed);
    int left = count;
    while (left > 0) {
      int added = hash.addShort(in.ahead(), left);
      in.skipToAhead();
      left -= added;
      if (added > 0) continue;
      in.getLasting(element);
      in.getLasting(fieldValue);
      check(hash.add(element, fieldValue), TWICE);
      left--;
    }
    return hash.build();
  }

  private RedisHash newHash(int fields) {
    RedisHash hash = new RedisHash();
    hash.growing(fields, limits, hashSeed);
    return hash;
  }

  private RedisHash hashOf(ListPack pack, String ifTwice) {
    check(pack.size() % 2 == 0, "a field without a value");
    RedisHash hash = RedisHash.of(pack, limits, hashSeed);
    if (hash == null) throw new IllegalArgumentException(ifTwice);
    return hash;
  }

  /** {@code ifTwice}: the error for a duplicate field, in the words of Redis's log. */
  private RedisHash hashOf(Elements fieldsAndValues, String ifTwice) {
    check(fieldsAndValues.count() % 2 == 0, "a field without a value");
    RedisHash hash = RedisHash.of(fieldsAndValues, limits, hashSeed);
    if (hash == null) throw new IllegalArgumentException(ifTwice);
    return hash;
  }

  /** Reads a hash of the type number that Redis and Valkey use for different forms. */
  private RedisHash hashOfItsTime() throws IOException {
    return version >= RdbFormat.VERSION_VALKEY ? hashOfValkey() : hashWithExpiry(0);
  }

  /** Reads a hash whose fields have expiry times relative to {@code base}; 0 means no expiry. */
  private RedisHash hashWithExpiry(long base) throws IOException {
    int count = in.getCount(3);
    RedisHash hash = newHash(count);
    for (int i = 0; i < count; i++) {
      long after = in.getLength();
      put(hash, in.getString(), in.getString(), after == 0 ? Value.NEVER : base + after);
    }
    return hash;
  }

  private RedisHash hashOfValkey() throws IOException {
    int count = in.getCount(10);
    RedisHash hash = newHash(count);
    for (int i = 0; i < count; i++) put(hash, in.getString(), in.getString(), in.getLong());
    return hash;
  }

  private RedisHash packedHashWithExpiry() throws IOException {
    Elements triples = elements(in.getPack());
    check(triples.count() % 3 == 0, "a field without an expiry time");
    RedisHash hash = newHash(triples.count() / 3);
    for (int i = 0; i < triples.count(); i += 3) {
      byte[] expiry = triples.get(i + 2);
      check(Decimals.isLong(expiry, 0, expiry.length), "an expiry time that is not a number");
      long expireAtMillis = Decimals.parseLong(expiry, 0, expiry.length);
      put(
          hash,
          triples.get(i),
          triples.get(i + 1),
          expireAtMillis == 0 ? Value.NEVER : expireAtMillis);
    }
    return hash;
  }

  private void put(RedisHash hash, byte[] field, byte[] value, long expireAtMillis) {
    check(expireAtMillis >= 0 || expireAtMillis == Value.NEVER, "an expiry time below 0");
    check(set(hash, field, value), TWICE);
    if (expireAtMillis != Value.NEVER) {
      hash.fieldExpireAtMillis(element.wrap(field), expireAtMillis);
    }
  }

  /** Sets a field; returns whether it is a new one. */
  private boolean set(RedisHash hash, byte[] field, byte[] value) {
    return hash.set(element.wrap(field), fieldValue.wrap(value), limits, hashSeed);
  }

  // Arrays

  private RedisArray array() throws IOException {
    int count = in.getCount(3);
    long hasInserted = in.getLength();
    check(hasInserted == 0 || hasInserted == 1, "an unknown insert position");
    RedisArray array = new RedisArray();
    if (hasInserted == 1) array.nextInsert(in.getLength() + 1);
    for (int i = 0; i < count; i++) {
      long index = in.getLength();
      check(index != -1, "an index that is too high");
      check(array.set(index, element.wrap(arrayElement())), "the same index twice");
    }
    return array;
  }

  private byte[] arrayElement() throws IOException {
    long tag = in.getLength();
    if (tag == ValueWriter.ARRAY_TEXT || tag == ARRAY_SHORT_TEXT) return in.getString();
    check(tag == ARRAY_INTEGER || tag == ARRAY_DOUBLE, "an unknown kind of element");
    String text =
        tag == ARRAY_INTEGER ? Long.toString(in.getLong()) : Decimals.format(in.getDouble());
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
