package dev.kermes.client;

import dev.kermes.client.internal.reply.Shapes;
import dev.kermes.client.reply.ScanPage;
import dev.kermes.client.reply.ScoredValue;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import dev.kermes.resp.ReplyTypeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decoders of the commands' reply shapes. Each accepts the RESP2 and the RESP3 form of its shape.
 * Collections keep the order of the wire and are modifiable by their receiver.
 */
public final class Replies {
  private static final Decoder<String> OK = Shapes::text;
  private static final Decoder<Long> INTEGER = ReplyReader::readLong;
  private static final Decoder<Boolean> BOOL = ReplyReader::readBoolean;
  private static final Decoder<Double> DECIMAL = ReplyReader::readDouble;
  private static final Decoder<@Nullable Object> ANY = Replies::tree;
  private static final Decoder<@Nullable Object> ANY_BYTES = in -> Trees.read(in, true);

  private Replies() {}

  // ---- scalars

  /** {@code OK}. */
  public static Decoder<String> ok() {
    return OK;
  }

  /** A status such as {@code PONG}. */
  public static Decoder<String> simple() {
    return OK;
  }

  /** A string in UTF-8. */
  public static Decoder<String> text() {
    return OK;
  }

  /** A 64-bit integer. */
  public static Decoder<Long> integer() {
    return INTEGER;
  }

  /** 1 and 0, or RESP3's booleans. */
  public static Decoder<Boolean> bool() {
    return BOOL;
  }

  /** A double; text in RESP2. */
  public static Decoder<Double> decimal() {
    return DECIMAL;
  }

  /** A value that is never nil. */
  public static <V> Decoder<V> value(Codec<V> codec) {
    return in -> in.readText(codec::decode);
  }

  /** A value or nil. */
  public static <V> Decoder<@Nullable V> bulk(Codec<V> codec) {
    return optional(value(codec));
  }

  /** {@code decoder}'s shape or nil. */
  public static <T> Decoder<@Nullable T> optional(Decoder<T> decoder) {
    return in -> in.readNull() ? null : decoder.decode(in);
  }

  /**
   * Any reply as plain values: null, Long, Boolean, Double, BigInteger, String, List, Set, Map; a
   * nested error as {@link ServerErrorException}.
   */
  public static Decoder<@Nullable Object> any() {
    return ANY;
  }

  /**
   * Like {@link #any}, with bulk strings as byte[] except for keys of a map and elements of a set.
   */
  public static Decoder<@Nullable Object> anyBytes() {
    return ANY_BYTES;
  }

  // ---- aggregates

  /** An array or set of {@code element}. */
  public static <X extends @Nullable Object> Decoder<List<X>> list(Decoder<X> element) {
    return in -> {
      int count = Shapes.present(in.readArray());
      List<X> list = new ArrayList<>(Shapes.capacity(count));
      for (int i = 0; i < count; i++) list.add(element.decode(in));
      return list;
    };
  }

  /** A set or array of {@code element}; duplicates are dropped. */
  public static <X> Decoder<Set<X>> set(Decoder<X> element) {
    return in -> {
      int count = Shapes.present(in.readArray());
      Set<X> set = LinkedHashSet.newLinkedHashSet(Shapes.capacity(count));
      for (int i = 0; i < count; i++) set.add(element.decode(in));
      return set;
    };
  }

  /** A map, or alternating keys and values. */
  public static <A, B extends @Nullable Object> Decoder<Map<A, B>> map(
      Decoder<A> key, Decoder<B> value) {
    return in -> {
      int count = Shapes.present(in.readMap());
      Map<A, B> map = LinkedHashMap.newLinkedHashMap(Shapes.capacity(count));
      for (int i = 0; i < count; i++) {
        A a = key.decode(in);
        map.put(a, value.decode(in));
      }
      return map;
    };
  }

  /** An array of exactly two. */
  public static <A, B> Decoder<Map.Entry<A, B>> pair(Decoder<A> first, Decoder<B> second) {
    return in -> {
      Shapes.expect(2, in.readArray());
      A a = first.decode(in);
      return Map.entry(a, second.decode(in));
    };
  }

  /** Members with scores: alternating in RESP2, as pairs in RESP3. */
  public static <V> Decoder<List<ScoredValue<V>>> scored(Codec<V> values) {
    return flatOrNested(in -> scoredValue(values, in));
  }

  /** Keys with values: alternating in RESP2, as pairs in RESP3. */
  public static <K, V> Decoder<List<Map.Entry<K, V>>> pairs(Codec<K> keys, Codec<V> values) {
    Decoder<K> key = value(keys);
    Decoder<V> value = value(values);
    return flatOrNested(in -> {
      K k = key.decode(in);
      return Map.entry(k, value.decode(in));
    });
  }

  /** A cursor and elements. */
  public static <X> Decoder<ScanPage<X>> page(Decoder<X> element) {
    return page(list(element), List::copyOf);
  }

  /** A cursor and a flat array of keys and values. */
  public static <K, V> Decoder<ScanPage<Map.Entry<K, V>>> pageOfPairs(
      Codec<K> keys, Codec<V> values) {
    Decoder<K> key = value(keys);
    Decoder<V> value = value(values);
    Decoder<List<Map.Entry<K, V>>> pairs =
        in -> {
          int count = Shapes.present(in.readMap());
          List<Map.Entry<K, V>> list = new ArrayList<>(Shapes.capacity(count));
          for (int i = 0; i < count; i++) {
            K k = key.decode(in);
            list.add(Map.entry(k, value.decode(in)));
          }
          return list;
        };
    return page(pairs, list -> list);
  }

  /** A cursor and a flat array of members and scores. */
  public static <V> Decoder<ScanPage<ScoredValue<V>>> pageOfScored(Codec<V> values) {
    return page(scored(values), list -> list);
  }

  /** A key, a member and its score in one flat array. */
  public static <K, V> Decoder<Map.Entry<K, ScoredValue<V>>> popped(
      Decoder<K> key, Decoder<V> member) {
    return in -> {
      Shapes.expect(3, in.readArray());
      K k = key.decode(in);
      V value = member.decode(in);
      return Map.entry(k, new ScoredValue<>(value, in.readDouble()));
    };
  }

  // ---- streams

  /**
   * A stream entry: id and a flat array of fields; without fields if it has been deleted. The
   * additional values of XREADGROUP with CLAIM are ignored.
   */
  public static <K, V> Decoder<StreamEntry<K, V>> entry(Codec<K> keys, Codec<V> values) {
    return Shapes.entry(map(value(keys), value(values)));
  }

  /** Stream entries, leaving out nil ones, which stand for deleted entries before Redis 7. */
  public static <K, V> Decoder<List<StreamEntry<K, V>>> entries(Codec<K> keys, Codec<V> values) {
    return Shapes.presentOf(entry(keys, values));
  }

  /**
   * Streams with their entries: pairs in RESP2, a map in RESP3; empty for nil, which means no
   * entries.
   */
  public static <K, V> Decoder<Map<K, List<StreamEntry<K, V>>>> streams(
      Codec<K> keys, Codec<V> values) {
    Decoder<List<StreamEntry<K, V>>> entries = entries(keys, values);
    return in -> {
      Map<K, List<StreamEntry<K, V>>> streams = new LinkedHashMap<>();
      boolean isMap = in.type() == ReplyType.MAP;
      int count = isMap ? in.readMap() : in.readArray();
      for (int i = 0; i < count; i++) {
        if (!isMap) Shapes.expect(2, in.readArray());
        K key = in.readText(keys::decode);
        streams.put(key, entries.decode(in));
      }
      return streams;
    };
  }

  // ---- helpers

  /** Pairs, flat in one array or each as an array. */
  private static <X> Decoder<List<X>> flatOrNested(Decoder<X> pair) {
    return in -> {
      int count = Shapes.present(in.readArray());
      boolean isFlat = count == 0 || in.type() != ReplyType.ARRAY;
      if (isFlat) even(count);
      int pairs = isFlat ? count / 2 : count;
      List<X> list = new ArrayList<>(Shapes.capacity(pairs));
      for (int i = 0; i < pairs; i++) {
        if (!isFlat) Shapes.expect(2, in.readArray());
        list.add(pair.decode(in));
      }
      return list;
    };
  }

  private static @Nullable Object tree(ReplyReader in) {
    return Trees.read(in, false);
  }

  private static <V> ScoredValue<V> scoredValue(Codec<V> values, ReplyReader in) {
    V member = in.readText(values::decode);
    return new ScoredValue<>(member, in.readDouble());
  }

  private static <X, L> Decoder<ScanPage<X>> page(
      Decoder<L> elements, Function<L, List<X>> asList) {
    return in -> {
      Shapes.expect(2, in.readArray());
      String cursor = Shapes.text(in);
      return new ScanPage<>(cursor, asList.apply(elements.decode(in)));
    };
  }

  private static void even(int count) {
    if ((count & 1) != 0) throw new ReplyTypeException("pairs expected: elements=" + count);
  }

  /** Untyped replies. */
  private static final class Trees {
    static @Nullable Object read(ReplyReader in, boolean asBytes) {
      return switch (in.type()) {
        case NULL -> nil(in);
        case INTEGER -> in.readLong();
        case BOOLEAN -> in.readBoolean();
        case DOUBLE -> in.readDouble();
        case BIG_NUMBER -> in.readBigInteger();
        case SIMPLE, VERBATIM -> in.readString();
        case BULK -> asBytes ? in.readBytes() : in.readString();
        case ERROR -> new ServerErrorException(in.readError());
        case ARRAY, PUSH -> fill(ArrayList::new, in, asBytes);
        case SET -> fill(LinkedHashSet::new, in, false);
        case MAP -> map(in, asBytes);
      };
    }

    private static @Nullable Object nil(ReplyReader in) {
      var unused = in.readNull();
      return null;
    }

    private static Object fill(
        Supplier<Collection<@Nullable Object>> maker, ReplyReader in, boolean asBytes) {
      int count = in.readArray();
      Collection<@Nullable Object> target = maker.get();
      for (int i = 0; i < count; i++) target.add(read(in, asBytes));
      return target;
    }

    private static Object map(ReplyReader in, boolean asBytes) {
      int count = in.readMap();
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        Object key = read(in, false);
        map.put(key, read(in, asBytes));
      }
      return map;
    }
  }
}
