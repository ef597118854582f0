package dev.kermes.client;

import dev.kermes.client.internal.reply.Fields;
import dev.kermes.client.internal.reply.Shapes;
import dev.kermes.client.reply.AclLogEntry;
import dev.kermes.client.reply.ClaimPage;
import dev.kermes.client.reply.CommandInfo;
import dev.kermes.client.reply.FunctionLibrary;
import dev.kermes.client.reply.GeoMatch;
import dev.kermes.client.reply.GeoPoint;
import dev.kermes.client.reply.LatencyEvent;
import dev.kermes.client.reply.LatencyHistogram;
import dev.kermes.client.reply.LatencySample;
import dev.kermes.client.reply.LcsMatches;
import dev.kermes.client.reply.PendingEntry;
import dev.kermes.client.reply.PendingSummary;
import dev.kermes.client.reply.Role;
import dev.kermes.client.reply.SlowlogEntry;
import dev.kermes.client.reply.StreamConsumer;
import dev.kermes.client.reply.StreamGroup;
import dev.kermes.client.reply.StreamInfo;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import dev.kermes.resp.ReplyTypeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decoders of replies that are records. Each accepts the RESP2 and the RESP3 form and ignores
 * fields that a newer server adds. Generic records take the decoders of their type parameters.
 */
public final class Records {
  private static final Decoder<List<String>> TEXTS = Replies.list(Replies.text());
  private static final Decoder<GeoPoint> POINT = Records::point;
  private static final Decoder<Map<String, Long>> COUNTS = Records::counts;
  private static final Decoder<LcsMatches.Match> MATCH = Records::match;
  private static final Decoder<List<Map<String, @Nullable Object>>> KEY_SPECIFICATIONS =
      Replies.list(Replies.map(Replies.text(), Replies.any()));

  private Records() {}

  // ---- streams

  /** XINFO GROUPS. */
  public static Decoder<StreamGroup> streamGroup() {
    return in -> {
      Fields fields = Fields.read(in);
      return new StreamGroup(
          fields.text("name"),
          fields.integer("consumers"),
          fields.integer("pending"),
          fields.text("last-delivered-id"),
          fields.integerOrNull("entries-read"),
          fields.integerOrNull("lag"));
    };
  }

  /** XINFO CONSUMERS. */
  public static Decoder<StreamConsumer> streamConsumer() {
    return in -> {
      Fields fields = Fields.read(in);
      Long inactive = fields.integerOrNull("inactive");
      return new StreamConsumer(
          fields.text("name"),
          fields.integer("pending"),
          Duration.ofMillis(fields.integer("idle")),
          inactive == null || inactive < 0 ? null : Duration.ofMillis(inactive));
    };
  }

  /** XINFO STREAM. */
  public static <K, V> Decoder<StreamInfo<K, V>> streamInfo(Decoder<K> key, Decoder<V> value) {
    var entry = Replies.optional(Shapes.entry(Replies.map(key, value)));
    var entries = Map.of("first-entry", entry, "last-entry", entry);
    return in -> {
      Fields fields = Fields.read(in, entries);
      return new StreamInfo<>(
          fields.integer("length"),
          fields.integer("radix-tree-keys"),
          fields.integer("radix-tree-nodes"),
          fields.text("last-generated-id"),
          fields.textOrNull("max-deleted-entry-id"),
          fields.integerOrNull("entries-added"),
          fields.textOrNull("recorded-first-entry-id"),
          fields.integer("groups"),
          fields.special("first-entry"),
          fields.special("last-entry"));
    };
  }

  /** XPENDING key group. */
  public static Decoder<PendingSummary> pendingSummary() {
    return in -> {
      Shapes.expect(4, in.readArray());
      long count = in.readLong();
      String minId = in.readString();
      String maxId = in.readString();
      return new PendingSummary(count, minId, maxId, COUNTS.decode(in));
    };
  }

  /** Reads names with numbers, as an array of pairs; empty for nil. */
  private static Map<String, Long> counts(ReplyReader in) {
    Map<String, Long> counts = new LinkedHashMap<>();
    int count = in.readArray();
    for (int i = 0; i < count; i++) {
      Shapes.expect(2, in.readArray());
      String name = Shapes.text(in);
      counts.put(name, in.readLong());
    }
    return counts;
  }

  /** XPENDING with a range. */
  public static Decoder<PendingEntry> pendingEntry() {
    return in -> {
      Shapes.expect(4, in.readArray());
      String id = Shapes.text(in);
      String consumer = Shapes.text(in);
      Duration idle = Duration.ofMillis(in.readLong());
      return new PendingEntry(id, consumer, idle, in.readLong());
    };
  }

  /** XAUTOCLAIM; leaves out nil elements, which stand for deleted entries. */
  public static <T> Decoder<ClaimPage<T>> claimPage(Decoder<T> element) {
    Decoder<List<T>> elements = Shapes.presentOf(element);
    return in -> {
      int count = Shapes.atLeast(2, in.readArray());
      String cursor = Shapes.text(in);
      List<T> claimed = elements.decode(in);
      return new ClaimPage<>(cursor, claimed, count > 2 ? TEXTS.decode(in) : List.of());
    };
  }

  // ---- geo

  /** GEOPOS. */
  public static Decoder<GeoPoint> geoPoint() {
    return POINT;
  }

  private static GeoPoint point(ReplyReader in) {
    Shapes.expect(2, in.readArray());
    double longitude = in.readDouble();
    return new GeoPoint(longitude, in.readDouble());
  }

  /** A member alone, or in an array with distance, hash and position, recognized by their types. */
  public static <V> Decoder<GeoMatch<V>> geoMatch(Decoder<V> member) {
    return in -> {
      if (in.type() != ReplyType.ARRAY) {
        return new GeoMatch<>(member.decode(in), null, null, null);
      }
      int count = Shapes.atLeast(1, in.readArray());
      V value = member.decode(in);
      Double distance = null;
      Long hash = null;
      GeoPoint place = null;
      for (int i = 1; i < count; i++) {
        switch (in.type()) {
          case INTEGER -> hash = in.readLong();
          case ARRAY -> place = point(in);
          default -> distance = in.readDouble();
        }
      }
      return new GeoMatch<>(value, distance, hash, place);
    };
  }

  // ---- strings

  /** LCS IDX. */
  public static Decoder<LcsMatches> lcsMatches() {
    return in -> {
      Fields fields = Fields.read(in, Map.of("matches", Replies.list(MATCH)));
      List<LcsMatches.Match> matches = fields.special("matches");
      return new LcsMatches(fields.needed("matches", matches), fields.integer("len"));
    };
  }

  private static LcsMatches.Match match(ReplyReader in) {
    int count = Shapes.atLeast(2, in.readArray());
    LcsMatches.Range first = range(in);
    LcsMatches.Range second = range(in);
    return new LcsMatches.Match(first, second, count > 2 ? in.readLong() : null);
  }

  private static LcsMatches.Range range(ReplyReader in) {
    Shapes.expect(2, in.readArray());
    long start = in.readLong();
    return new LcsMatches.Range(start, in.readLong());
  }

  // ---- the server

  /** SLOWLOG GET, COMMANDLOG GET. */
  public static Decoder<SlowlogEntry> slowlogEntry() {
    return in -> {
      int count = Shapes.atLeast(6, in.readArray());
      long id = in.readLong();
      Instant time = Instant.ofEpochSecond(in.readLong());
      long value = in.readLong();
      List<String> arguments = TEXTS.decode(in);
      String address = Shapes.text(in);
      String name = Shapes.text(in);
      skip(in, count - 6);
      return new SlowlogEntry(id, time, value, arguments, address, name);
    };
  }

  /** ROLE. */
  public static Decoder<Role> role() {
    return in -> {
      Shapes.atLeast(2, in.readArray());
      String role = Shapes.text(in);
      return switch (role) {
        case "master" -> master(in);
        case "slave" -> replica(in);
        case "sentinel" -> new Role.Sentinel(TEXTS.decode(in));
        default -> throw new ReplyTypeException("role expected: found=" + role);
      };
    };
  }

  private static Role master(ReplyReader in) {
    long offset = in.readLong();
    return new Role.Master(offset, Replies.list(Records::connectedReplica).decode(in));
  }

  private static Role.ConnectedReplica connectedReplica(ReplyReader in) {
    Shapes.expect(3, in.readArray());
    String host = Shapes.text(in);
    long port = in.readLong();
    return new Role.ConnectedReplica(host, port, in.readLong());
  }

  private static Role replica(ReplyReader in) {
    String host = Shapes.text(in);
    long port = in.readLong();
    String state = Shapes.text(in);
    return new Role.Replica(host, port, state, in.readLong());
  }

  /** ACL LOG. */
  public static Decoder<AclLogEntry> aclLogEntry() {
    return in -> {
      Fields fields = Fields.read(in);
      return new AclLogEntry(
          fields.integer("count"),
          fields.text("reason"),
          fields.text("context"),
          fields.text("object"),
          fields.text("username"),
          Duration.ofMillis(Math.round(1000 * fields.decimal("age-seconds"))),
          fields.text("client-info"),
          fields.integerOrNull("entry-id"),
          instant(fields.integerOrNull("timestamp-created")),
          instant(fields.integerOrNull("timestamp-last-updated")));
    };
  }

  private static @Nullable Instant instant(@Nullable Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** LATENCY HISTORY. */
  public static Decoder<LatencySample> latencySample() {
    return in -> {
      Shapes.expect(2, in.readArray());
      Instant time = Instant.ofEpochSecond(in.readLong());
      return new LatencySample(time, Duration.ofMillis(in.readLong()));
    };
  }

  /** LATENCY LATEST. */
  public static Decoder<LatencyEvent> latencyEvent() {
    return in -> {
      int count = Shapes.atLeast(4, in.readArray());
      String event = Shapes.text(in);
      Instant time = Instant.ofEpochSecond(in.readLong());
      Duration latest = Duration.ofMillis(in.readLong());
      Duration max = Duration.ofMillis(in.readLong());
      skip(in, count - 4);
      return new LatencyEvent(event, time, latest, max);
    };
  }

  /** One command of LATENCY HISTOGRAM. */
  public static Decoder<LatencyHistogram> latencyHistogram() {
    var buckets = Map.of("histogram_usec", Replies.map(Replies.integer(), Replies.integer()));
    return in -> {
      Fields fields = Fields.read(in, buckets);
      Map<Long, Long> histogram = fields.special("histogram_usec");
      return new LatencyHistogram(
          fields.integer("calls"), fields.needed("histogram_usec", histogram));
    };
  }

  /** FUNCTION LIST. */
  public static Decoder<FunctionLibrary> functionLibrary() {
    var functions = Map.of("functions", Replies.list(Records::function));
    return in -> {
      Fields fields = Fields.read(in, functions);
      List<FunctionLibrary.Function> list = fields.special("functions");
      return new FunctionLibrary(
          fields.text("library_name"),
          fields.text("engine"),
          fields.needed("functions", list),
          fields.textOrNull("library_code"));
    };
  }

  private static FunctionLibrary.Function function(ReplyReader in) {
    Fields fields = Fields.read(in, Map.of("flags", Replies.set(Replies.text())));
    Set<String> flags = fields.special("flags");
    return new FunctionLibrary.Function(
        fields.text("name"), fields.textOrNull("description"), fields.needed("flags", flags));
  }

  /** COMMAND, COMMAND INFO. */
  public static Decoder<CommandInfo> commandInfo() {
    return Records::command;
  }

  private static CommandInfo command(ReplyReader in) {
    int count = Shapes.atLeast(7, in.readArray());
    String name = Shapes.text(in);
    long arity = in.readLong();
    var flags = Replies.set(Replies.text()).decode(in);
    long firstKey = in.readLong();
    long lastKey = in.readLong();
    long step = in.readLong();
    var categories = Replies.set(Replies.text()).decode(in);
    List<String> tips = count > 7 ? TEXTS.decode(in) : List.of();
    List<Map<String, @Nullable Object>> keys = new ArrayList<>();
    if (count > 8) keys.addAll(KEY_SPECIFICATIONS.decode(in));
    List<CommandInfo> subcommands =
        count > 9 ? Replies.list(Records::command).decode(in) : List.of();
    skip(in, count - 10);
    return new CommandInfo(
        name, arity, flags, firstKey, lastKey, step, categories, tips, keys, subcommands);
  }

  private static void skip(ReplyReader in, int count) {
    for (int i = 0; i < count; i++) in.skip();
  }
}
