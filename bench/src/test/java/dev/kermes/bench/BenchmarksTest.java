package dev.kermes.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.bench.client.ClientBenchmark;
import dev.kermes.bench.client.Ping1000Benchmark;
import dev.kermes.bench.client.PingClients;
import dev.kermes.bench.commands.CommandsBenchmark;
import dev.kermes.bench.events.EventsBenchmark;
import dev.kermes.bench.expiry.ExpiryBenchmark;
import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import dev.kermes.bench.persistence.PersistenceBenchmark;
import dev.kermes.bench.persistence.SampleKeys;
import dev.kermes.bench.throughput.RedisBenchmark;
import dev.kermes.bench.throughput.SeedRedisBenchmark;
import dev.kermes.server.RedisServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that benchmarks run and report their parts; never how fast anything is. */
final class BenchmarksTest {

  private static Report run(Benchmark benchmark, RedisServer server, String... more)
      throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--quick", "--runs", "1", "--only", "embedded"));
    arguments.addAll(List.of("--peer", "embedded=127.0.0.1:" + server.port()));
    arguments.addAll(Arrays.asList(more));
    return benchmark.run(Options.parse(arguments, benchmark.options()), new Progress(report -> {}));
  }

  @Test
  void seedRedis_embedded_hasARowPerPipeline() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Report report =
          run(
              new SeedRedisBenchmark(),
              server,
              "--pipeline",
              "3,1",
              "--clients",
              "2",
              "--prefill",
              "10",
              "--key-maximum",
              "20",
              "--warm-up",
              "0.05",
              "--test-time",
              "0.3");
      assertThat(report.rows())
          .extracting(Row::benchCase)
          .containsExactly("pipeline 3", "pipeline 1");
      for (Row row : report.rows()) {
        assertThat(row.get(Figure.OPS.name())).isPositive();
        assertThat(row.get(LoadResult.HIT_RATE.name())).isPositive();
      }
      assertThat(report.toJson())
          .contains("\"benchmark\":\"seed-redis\"", "\"machine\":", "\"case\":\"pipeline 3\"")
          .contains("\"opsPerSecond\":", "\"serverCpuSecondsPerMillion\":", "\"p999Millis\":");
      assertThat(report.toMarkdown("command")).contains("| embedded |", "- Command: `command`");
    }
  }

  @Test
  void expiry_embedded_measuresStaleKeysAndFieldsAndTheEnd() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Report report = run(new ExpiryBenchmark(), server, "--test-time", "0.3", "--keys", "100");
      assertThat(report.rows())
          .extracting(Row::benchCase)
          .containsExactly("SET PX 300", "HSETEX PX 300", "all at once");
      assertThat(report.rows()).allMatch(row -> row.get("p99Ratio") > 0);
      for (Row row : report.rows().subList(0, 2)) {
        assertThat(row.get("stalePercentMax")).isBetween(0.0, 100.0);
      }
      assertThat(report.rows().getLast().get("goneSeconds")).isPositive();
    }
  }

  @Test
  void events_embedded_hasARowPerLibrary() throws Exception {
    String libraries = "kermes,lettuce,redisson,redisson topic,spring";
    try (RedisServer server = RedisServer.start()) {
      Report report =
          run(
              new EventsBenchmark(),
              server,
              "--events",
              "50",
              "--cases",
              "1 member, 1 key",
              "--clients", // without programs that may have been fetched
              libraries);
      assertThat(report.rows()).extracting(Row::peer).containsOnly(libraries.split(","));
      assertThat(report.rows())
          .extracting(Row::benchCase)
          .containsOnly(
              "handle a backlog, 1 member, 1 key",
              "append and handle, 1 member, 1 key",
              "1,000/s, 1 member, 1 key");
      assertThat(report.rows())
          .hasSize(15)
          .allMatch(row -> row.get(Figure.OPS.name()) > 0)
          .filteredOn(row -> row.benchCase().startsWith("1,000/s"))
          .allMatch(row -> row.get(Figure.P99.name()) > 0);
    }
  }

  @Test
  void commands_embedded_hasARowPerCase() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Report report =
          run(
              new CommandsBenchmark(),
              server,
              "--seconds",
              "0.02",
              "--warm-up",
              "0.01",
              "--cases",
              "`ZADD z:",
              "--cases",
              "`GET ");
      assertThat(report.failures()).isEmpty();
      assertThat(report.rows()).hasSizeGreaterThan(4);
      assertThat(report.rows()).allMatch(row -> row.get(Figure.MAX.name()) > 0);
      assertThat(report.toMarkdown("command")).contains("`GET s:{key}`, 16 B, P16 |");
    }
  }

  @Test
  void ping1000_embedded_hasARowPerClient() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Report report = run(new Ping1000Benchmark(), server, "--rounds", "2");
      assertThat(report.rows())
          .extracting(Row::peer)
          .containsExactlyElementsOf(PingClients.all().keySet());
      assertThat(report.rows()).allMatch(row -> row.get(Figure.MEDIAN.name()) > 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cached, 'kermes,lettuce'",
    "64 coroutines, 'kermes,lettuce,redisson,vertx-redis'",
    "64 asynchronous, 'kermes,bare socket,lettuce,redisson,vertx-redis'"
  })
  void client_embedded_hasARowPerClient(String cases, String clients) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      Report report = run(new ClientBenchmark(), server, "--seconds", "0.01", "--cases", cases);
      assertThat(report.rows()).extracting(Row::peer).containsExactly(clients.split(","));
      assertThat(report.rows()).allMatch(row -> row.get(Figure.OPS.name()) > 0);
    }
  }

  @Test
  void persistence_embedded_hasARowPerWayToSyncAndToSave(@TempDir Path folder) throws Exception {
    try (RedisServer server = RedisServer.builder().option("dir", folder.toString()).start()) {
      Report report = run(new PersistenceBenchmark(), server, "--test-time", "0.1");
      assertThat(report.rows())
          .extracting(Row::benchCase)
          .containsExactly(
              "appendfsync always, pipeline 1, 32 bytes",
              "appendfsync always, pipeline 1, 1024 bytes",
              "appendfsync everysec, pipeline 1, 32 bytes",
              "appendfsync everysec, pipeline 30, 32 bytes",
              "SETs without a save",
              "SETs during BGSAVE");
      assertThat(report.rows()).allMatch(row -> row.get(Figure.OPS.name()) > 0);
    }
  }

  @Test
  void sampleKeys_createdAndChanged_haveTheGivenCount() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
      SampleKeys.create(address, 1000);
      SampleKeys.change(address, 1000);
      try (Wire wire = new Wire(address)) {
        assertThat(wire.call("DBSIZE")).isEqualTo(":1000");
        assertThat(wire.call("OBJECT", "ENCODING", "zset:9")).isEqualTo("skiplist");
        assertThat(wire.call("OBJECT", "ENCODING", "zset:19")).isEqualTo("listpack");
        assertThat(wire.call("GET", "number:5")).isEqualTo("6");
      }
    }
  }

  @Test
  void loadSeconds_ofEachServersLog() {
    String redis = "1:M 22 Nov 2026 16:00:00.000 * ";
    assertThat(
            RunningServer.loadSeconds(
                List.of(
                    redis + "DB loaded from base file appendonly.aof.1.base.rdb: 0.400 seconds",
                    redis + "DB loaded from append only file: 1.234 seconds",
                    redis + "Opening AOF incr file appendonly.aof.1.incr.aof on server start")))
        .isEqualTo(1.234);
    assertThat(
            RunningServer.loadSeconds(
                List.of(
                    "INFO DB loaded from disk: file=/a/base.rdb, keys=7, milliseconds=400",
                    "INFO DB loaded from append only file: milliseconds=1500")))
        .isEqualTo(1.5);
    assertThat(RunningServer.loadSeconds(List.of("Ready"))).isNaN();
  }

  @Test
  void parse_redisBenchmarkLine() {
    RedisBenchmark.Line line =
        RedisBenchmark.parse(
            "\"SET\",\"99009.90\",\"0.268\",\"0.088\",\"0.255\",\"0.375\",\"0.503\",\"1.023\"");
    if (line == null) throw new AssertionError("not a line of redis-benchmark");
    assertThat(line.test()).isEqualTo("SET");
    assertThat(line.figures())
        .containsEntry("opsPerSecond", 99009.90)
        .containsEntry("p50Millis", 0.255)
        .containsEntry("p99Millis", 0.503)
        .containsEntry("maxMillis", 1.023);
    assertThat(RedisBenchmark.parse("\"test\",\"rps\",\"a\",\"b\",\"c\",\"d\",\"e\",\"f\""))
        .isNull();
  }

  @Test
  void parse_unknownOption_isNamed() {
    assertThatThrownBy(
            () -> Options.parse(List.of("--sped", "1"), new SeedRedisBenchmark().options()))
        .isInstanceOf(BenchmarkException.class)
        .hasMessageContaining("--sped");
  }

  @Test
  void toJson_missingFiguresAreNull_andTextIsEscaped() {
    Report report = new Report("b", "s", List.of(Figure.OPS), List.of(Figure.OPS));
    report.add(new Row("kermes", "1\"2", "c", java.util.Map.of("opsPerSecond", 4.0)));
    report.add(new Row("other", "", "c", Map.of("opsPerSecond", 2.0)));
    report.missing(List.of("valkey-server"));
    assertThat(report.toJson())
        .contains("\"version\":\"1\\\"2\"", "\"opsPerSecond\":4", "\"p50Millis\":null")
        .contains("\"opsPerSecondRatios\":{\"other\":2}", "\"missing\":[\"valkey-server\"]");
  }

  @Test
  void median_evenCount_isTheMeanOfTheMiddle() {
    assertThat(Medians.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
    assertThat(Medians.of(List.of(9.0, 1.0, 3.0))).isEqualTo(3.0);
  }
}
