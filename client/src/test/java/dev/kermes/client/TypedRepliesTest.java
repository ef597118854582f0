package dev.kermes.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

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
import dev.kermes.client.reply.ScoredValue;
import dev.kermes.client.reply.SlowlogEntry;
import dev.kermes.client.reply.StreamConsumer;
import dev.kermes.client.reply.StreamEntry;
import dev.kermes.client.reply.StreamGroup;
import dev.kermes.client.reply.StreamInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies that are records and other compound types, from every server over RESP3 and RESP2. */
@Timeout(60)
class TypedRepliesTest extends ServersUnderTest {
  private static final StreamEntry<String, String> FIRST =
      new StreamEntry<>("1-1", Map.of("n", "1"));
  private static final StreamEntry<String, String> SECOND =
      new StreamEntry<>("2-1", Map.of("n", "2"));

  private static void with(
      RedisOptions options, Consumer<BlockingCommands<String, String>> actions) {
    try (RedisClient redis = RedisClient.open(options)) {
      redis.blocking().flushall();
      actions.accept(redis.blocking());
    }
  }

  /** A stream of two entries that a group has delivered to one consumer. */
  private static void addPending(BlockingCommands<String, String> redis) {
    for (StreamEntry<String, String> entry : List.of(FIRST, SECOND)) {
      redis.xadd("s", entry.id(), entry.fields());
    }
    redis.xgroupCreate("s", "g", "0");
    redis.xreadgroup("g", "me", "s", ">");
  }

  // ---- streams

  @ParameterizedTest
  @MethodSource("options")
  void xread_someStreams_entriesOfEach(RedisOptions options) {
    with(
        options,
        redis -> {
          addPending(redis);
          redis.xadd("t", "3-1", Map.of("n", "3"));
          Map<String, String> ids = new LinkedHashMap<>();
          ids.put("s", "1-1");
          ids.put("t", "0");
          assertThat(redis.xread(ids))
              .containsExactly(
                  entry("s", List.of(SECOND)),
                  entry("t", List.of(new StreamEntry<>("3-1", Map.of("n", "3")))));
          assertThat(redis.xread("s", "0")).containsExactly(entry("s", List.of(FIRST, SECOND)));
          assertThat(redis.xread("s", "2-1")).isEmpty();
          assertThat(redis.xread("s", "2-1", new XreadOptions().block(1))).isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void xreadgroup_newAndPendingEntries(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.xadd("s", "1-1", FIRST.fields());
          redis.xadd("s", "2-1", SECOND.fields());
          redis.xgroupCreate("s", "g", "0");
          assertThat(redis.xreadgroup("g", "me", "s", ">", new XreadgroupOptions().count(1)))
              .containsExactly(entry("s", List.of(FIRST)));
          assertThat(redis.xreadgroup("g", "me", Map.of("s", ">")))
              .containsExactly(entry("s", List.of(SECOND)));
          assertThat(redis.xreadgroup("g", "me", "s", ">")).isEmpty();
          redis.xdel("s", "1-1");
          assertThat(redis.xreadgroup("g", "me", "s", "0"))
              .containsExactly(entry("s", List.of(new StreamEntry<>("1-1", Map.of()), SECOND)));
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void xclaim_entriesOrIds(RedisOptions options) {
    with(
        options,
        redis -> {
          addPending(redis);
          assertThat(redis.xclaim("s", "g", "you", 0, "1-1", "2-1")).containsExactly(FIRST, SECOND);
          assertThat(redis.xclaimJustid("s", "g", "you", 0, "1-1")).containsExactly("1-1");
          assertThat(redis.xclaim("s", "g", "you", 0, "7-7")).isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void xautoclaim_stepByStep(RedisOptions options) {
    with(
        options,
        redis -> {
          addPending(redis);
          ClaimPage<StreamEntry<String, String>> page =
              redis.xautoclaim("s", "g", "you", 0, "0", new XautoclaimOptions().count(1));
          assertThat(page).isEqualTo(new ClaimPage<>("2-1", List.of(FIRST), List.of()));
          assertThat(page.isLast()).isFalse();
          redis.xdel("s", "1-1");
          assertThat(redis.xautoclaim("s", "g", "you", 0, "0"))
              .isEqualTo(new ClaimPage<>("0-0", List.of(SECOND), List.of("1-1")));
          assertThat(redis.xautoclaimJustid("s", "g", "you", 0, "0"))
              .isEqualTo(new ClaimPage<>("0-0", List.of("2-1"), List.of()));
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void xpending_summaryAndEntries(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.xadd("empty", "1-1", FIRST.fields());
          redis.xgroupCreate("empty", "g", "0");
          assertThat(redis.xpending("empty", "g"))
              .isEqualTo(new PendingSummary(0, null, null, Map.of()));
          addPending(redis);
          assertThat(redis.xpending("s", "g"))
              .isEqualTo(new PendingSummary(2, "1-1", "2-1", Map.of("me", 2L)));
          redis.xclaim("s", "g", "you", 0, "2-1");
          assertThat(redis.xpending("s", "g", "-", "+", 10))
              .extracting(PendingEntry::id, PendingEntry::consumer, PendingEntry::deliveries)
              .containsExactly(tuple("1-1", "me", 1L), tuple("2-1", "you", 2L));
          assertThat(redis.xpending("s", "g", "-", "+", 10, new XpendingOptions().consumer("you")))
              .extracting(PendingEntry::id)
              .containsExactly("2-1");
          assertThat(redis.xpending("s", "g", "-", "+", 10, new XpendingOptions().idle(3_600_000)))
              .isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void xinfo_streamGroupsAndConsumers(RedisOptions options) {
    with(
        options,
        redis -> {
          addPending(redis);
          StreamInfo<String, String> stream = redis.xinfoStream("s");
          assertThat(stream.length()).isEqualTo(2);
          assertThat(stream.groups()).isEqualTo(1);
          assertThat(stream.lastGeneratedId()).isEqualTo("2-1");
          assertThat(stream.entriesAdded()).isEqualTo(2);
          assertThat(stream.maxDeletedEntryId()).isEqualTo("0-0");
          assertThat(stream.recordedFirstEntryId()).isEqualTo("1-1");
          assertThat(stream.firstEntry()).isEqualTo(FIRST);
          assertThat(stream.lastEntry()).isEqualTo(SECOND);
          assertThat(redis.xinfoStreamFull("s", new XinfoStreamOptions().count(1)))
              .containsEntry("length", 2L)
              .containsKey("entries");
          assertThat(redis.xinfoGroups("s"))
              .containsExactly(new StreamGroup("g", 1, 2, "2-1", 2L, 0L));
          redis.xgroupCreate("s", "from2", "1-7");
          assertThat(redis.xinfoGroups("s"))
              .contains(new StreamGroup("from2", 0, 0, "1-7", null, null));
          StreamConsumer consumer = redis.xinfoConsumers("s", "g").getFirst();
          assertThat(consumer.name()).isEqualTo("me");
          assertThat(consumer.pending()).isEqualTo(2);
          assertThat(consumer.idle()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
          redis.xtrim("s", new XtrimOptions().trim(TrimStrategy.MAXLEN, "0"));
          assertThat(redis.xinfoStream("s").firstEntry()).isNull();
        });
  }

  // ---- sorted sets, hashes, geo, strings

  @ParameterizedTest
  @MethodSource("options")
  void blockingPops_keyWithScoredMember(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.zadd("z", List.of(new ScoredValue<>("a", 1), new ScoredValue<>("b", 2.5)));
          assertThat(redis.bzpopmax("z", 1.0)).isEqualTo(entry("z", new ScoredValue<>("b", 2.5)));
          assertThat(redis.bzpopmin(List.of("no", "z"), 1.0))
              .isEqualTo(entry("z", new ScoredValue<>("a", 1)));
          assertThat(redis.bzpopmin("z", 0.001)).isNull();
          redis.zadd("z", 3, "c");
          assertThat(redis.zmpop("z", ScoreSide.MIN))
              .isEqualTo(entry("z", List.of(new ScoredValue<>("c", 3))));
          redis.zadd("z", 4, "d");
          assertThat(redis.bzmpop(1.0, "z", ScoreSide.MIN))
              .isEqualTo(entry("z", List.of(new ScoredValue<>("d", 4))));
          redis.rpush("l", "x", "y");
          assertThat(redis.lmpop("l", ListSide.LEFT)).isEqualTo(entry("l", List.of("x")));
          assertThat(redis.blmpop(1.0, "l", ListSide.LEFT)).isEqualTo(entry("l", List.of("y")));
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void hrandfieldWithvalues_pairs(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.hset("h", Map.of("f", "v"));
          assertThat(redis.hrandfieldWithvalues("h", -2))
              .containsExactly(entry("f", "v"), entry("f", "v"));
          assertThat(redis.hrandfieldWithvalues("no", 2)).isEmpty();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void geo_placesAndMatches(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.geoadd("g", 12.5, 42, "rome");
          List<@Nullable GeoPoint> places = redis.geopos("g", "rome", "atlantis");
          GeoPoint rome = requireNonNull(places.get(0));
          assertThat(rome.longitude()).isCloseTo(12.5, within(1e-4));
          assertThat(rome.latitude()).isCloseTo(42, within(1e-4));
          assertThat(places.get(1)).isNull();
          GeosearchOptions here =
              new GeosearchOptions().fromlonlat(12, 42).byradius(100, GeoUnit.KM);
          assertThat(redis.geosearch("g", here)).containsExactly("rome");
          GeoMatch<String> far = redis.geosearchWithdist("g", here).getFirst();
          assertThat(far.member()).isEqualTo("rome");
          assertThat(far.distance()).isCloseTo(41.3, within(0.1));
          assertThat(far.hash()).isNull();
          assertThat(far.place()).isNull();
          assertThat(redis.geosearchWithcoord("g", here).getFirst().place()).isEqualTo(rome);
          Long hash = redis.geosearchWithhash("g", here).getFirst().hash();
          GeoMatch<String> searched =
              redis.geosearchWithcoordWithdistWithhash("g", here).getFirst();
          assertThat(searched).isEqualTo(new GeoMatch<>("rome", far.distance(), hash, rome));
          assertThat(redis.geosearchWithcoordWithdist("g", here).getFirst())
              .isEqualTo(new GeoMatch<>("rome", far.distance(), null, rome));
          assertThat(redis.geosearchWithcoordWithhash("g", here).getFirst())
              .isEqualTo(new GeoMatch<>("rome", null, hash, rome));
          assertThat(redis.geosearchWithdistWithhash("g", here).getFirst())
              .isEqualTo(new GeoMatch<>("rome", far.distance(), hash, null));
          GeoMatch<String> all =
              redis
                  .georadius(
                      "g",
                      12,
                      42,
                      100,
                      GeoUnit.KM,
                      new GeoradiusOptions().withcoord().withdist().withhash())
                  .getFirst();
          assertThat(all).isEqualTo(new GeoMatch<>("rome", far.distance(), hash, rome));
          assertThat(redis.georadius("g", 12, 42, 100, GeoUnit.KM))
              .containsExactly(new GeoMatch<>("rome", null, null, null));
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void bitfield_numbersAndNilOnOverflow(RedisOptions options) {
    with(
        options,
        redis -> {
          BitfieldOptions operations =
              new BitfieldOptions().set("u8", 0, 255).incrby(BitOverflow.FAIL, "u8", 0, 1);
          assertThat(redis.bitfield("b", operations)).isEqualTo(Arrays.asList(0L, null));
          assertThat(redis.bitfieldRo("b", new BitfieldRoOptions().get("u8", 0)))
              .containsExactly(255L);
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void lcsIdx_rangesOfBothStrings(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.set("a", "ohmytext");
          redis.set("b", "mynewtext");
          var last =
              new LcsMatches.Match(new LcsMatches.Range(4, 7), new LcsMatches.Range(5, 8), null);
          var first =
              new LcsMatches.Match(new LcsMatches.Range(2, 3), new LcsMatches.Range(0, 1), null);
          assertThat(redis.lcsIdx("a", "b")).isEqualTo(new LcsMatches(List.of(last, first), 6));
          assertThat(redis.lcsIdx("a", "b", new LcsOptions().withmatchlen()).matches())
              .extracting(LcsMatches.Match::length)
              .containsExactly(4L, 2L);
        });
  }

  /** Commands that the installed redis-server lacks. */
  @ParameterizedTest
  @MethodSource("kermes")
  void newerCommands(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.zadd("z", 1.5, "a");
          assertThat(redis.zrankWithscore("z", "a")).isEqualTo(entry(0L, 1.5));
          assertThat(redis.zrevrankWithscore("z", "no")).isNull();
          assertThat(redis.increx("n")).isEqualTo(entry(1L, 1L));
          assertThat(redis.increxByint("n", 4)).isEqualTo(entry(5L, 4L));
          assertThat(redis.increxByfloat("n", 0.5, new IncrexOptions().ex(10)))
              .isEqualTo(entry(5.5, 0.5));
          redis.arset("a", 3, "x");
          assertThat(redis.arscan("a", 0, 9)).containsExactly(entry(3L, "x"));
          assertThat(redis.argrepWithvalues("a", "0", "9", new ArgrepOptions().exact("x")))
              .containsExactly(entry(3L, "x"));
          assertThat(redis.commandlogGet(10, CommandlogGetLogType.LARGE_REQUEST)).isEmpty();
          addPending(redis);
          assertThat(requireNonNull(redis.xinfoConsumers("s", "g").getFirst().inactive()))
              .isBetween(Duration.ZERO, Duration.ofMinutes(1));
          Map<String, List<StreamEntry<String, String>>> claimed =
              redis.xreadgroup("g", "you", "s", ">", new XreadgroupOptions().claim(0));
          assertThat(claimed).containsExactly(entry("s", List.of(FIRST, SECOND)));
        });
  }

  static Stream<RedisOptions> kermes() {
    return options().skip(2);
  }

  // ---- the server

  @ParameterizedTest
  @MethodSource("options")
  void slowlogGet_commandsWithTheirTime(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.configSet(Map.of("slowlog-log-slower-than", "0"));
          redis.slowlogReset();
          redis.set("slow", "value");
          redis.configSet(Map.of("slowlog-log-slower-than", "10000"));
          SlowlogEntry entry =
              redis.slowlogGet(10).stream()
                  .filter(each -> each.arguments().equals(List.of("SET", "slow", "value")))
                  .findFirst()
                  .orElseThrow();
          assertThat(entry.time()).isBetween(Instant.now().minusSeconds(60), Instant.now());
          assertThat(entry.duration()).isEqualTo(Duration.ofNanos(1000 * entry.value()));
          assertThat(entry.clientAddress()).startsWith("127.0.0.1:");
          redis.slowlogReset();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void role_ofAMaster(RedisOptions options) {
    with(
        options,
        redis ->
            assertThat(redis.role())
                .isInstanceOfSatisfying(
                    Role.Master.class, master -> assertThat(master.replicas()).isEmpty()));
  }

  @ParameterizedTest
  @MethodSource("options")
  void aclLog_refusals(RedisOptions options) {
    with(
        options,
        redis -> {
          assertThat(redis.aclLogReset()).isEqualTo("OK");
          redis.aclSetuser("reader", "on", "nopass", "~*", "-@all", "+@connection");
          RedisOptions reader =
              RedisOptions.address(options.address()).user("reader").password("any").build();
          try (RedisClient client = RedisClient.open(reader)) {
            assertThat(Failures.of(client.async().get("k"))).hasMessageStartingWith("NOPERM");
          }
          AclLogEntry entry = redis.aclLog(1).getFirst();
          assertThat(entry.count()).isEqualTo(1);
          assertThat(List.of(entry.reason(), entry.context(), entry.object(), entry.username()))
              .containsExactly("command", "toplevel", "get", "reader");
          assertThat(entry.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
          assertThat(entry.clientInfo()).contains("user=reader");
          redis.aclDeluser("reader");
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void latencyHistogram_callsAndBuckets(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.set("k", "v");
          LatencyHistogram set = requireNonNull(redis.latencyHistogram("set").get("set"));
          assertThat(set.calls()).isPositive();
          assertThat(set.histogram().values()).last().isEqualTo(set.calls());
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void latencyEvents_ofASlowCommand(RedisOptions options) {
    with(
        options,
        redis -> {
          redis.configSet(Map.of("latency-monitor-threshold", "1"));
          redis.eval("for i = 1, 30000000 do end", List.of(), List.of());
          redis.configSet(Map.of("latency-monitor-threshold", "0"));
          LatencyEvent event =
              redis.latencyLatest().stream()
                  .filter(each -> each.event().equals("command"))
                  .findFirst()
                  .orElseThrow();
          assertThat(event.max()).isGreaterThanOrEqualTo(event.latest()).isPositive();
          assertThat(redis.latencyHistory("command"))
              .contains(new LatencySample(event.time(), event.latest()));
          redis.latencyReset();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void functionList_librariesWithTheirFunctions(RedisOptions options) {
    with(
        options,
        redis -> {
          String code =
              "#!lua name=lib\n"
                  + "redis.register_function{function_name='f', callback=function() return 1 end,"
                  + " flags={'no-writes'}}";
          redis.functionLoad(code, new FunctionLoadOptions().replace());
          var f = new FunctionLibrary.Function("f", null, Set.of("no-writes"));
          assertThat(redis.functionList())
              .containsExactly(new FunctionLibrary("lib", "LUA", List.of(f), null));
          assertThat(redis.functionList(new FunctionListOptions().withcode()).getFirst().code())
              .isEqualTo(code);
          redis.functionFlush();
        });
  }

  @ParameterizedTest
  @MethodSource("options")
  void commandInfo_ofOneAndAll(RedisOptions options) {
    with(
        options,
        redis -> {
          CommandInfo get = redis.commandInfo("get", "unknown").get(0);
          assertThat(get.name()).isEqualTo("get");
          assertThat(get.arity()).isEqualTo(2);
          assertThat(get.flags()).containsExactlyInAnyOrder("readonly", "fast");
          assertThat(List.of(get.firstKey(), get.lastKey(), get.step()))
              .containsExactly(1L, 1L, 1L);
          assertThat(get.aclCategories()).contains("@read", "@string");
          assertThat(get.keySpecifications()).hasSize(1);
          assertThat(redis.commandInfo("get", "unknown").get(1)).isNull();
          assertThat(redis.commandInfo("object").get(0).subcommands())
              .extracting(CommandInfo::name)
              .contains("object|encoding");
          assertThat(redis.command()).extracting(CommandInfo::name).contains("get", "xadd");
          assertThat(redis.commandGetkeysandflags("SET", "k", "v"))
              .containsExactly(entry("k", Set.of("OW", "update")));
          // Redis 8 lists its vector sets module, other servers none.
          assertThat(redis.moduleList()).allMatch(module -> module.containsKey("name"));
        });
  }
}
