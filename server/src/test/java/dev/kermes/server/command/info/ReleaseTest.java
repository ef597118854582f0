package dev.kermes.server.command.info;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.TestServers;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Redis release that the server announces, and the other fields that monitoring reads. */
final class ReleaseTest {

  @Test
  void release_isToldAlikeEverywhere() throws IOException {
    try (RedisServer server = TestServers.with().start();
        RespSocket socket = new RespSocket(server.port())) {
      assertTold(socket, "8.0.6", 0x080006);
    }
    try (RedisServer server = TestServers.with("announce-redis-version", "7.4.11").start();
        RespSocket socket = new RespSocket(server.port())) {
      assertTold(socket, "7.4.11", 0x07040b);
      assertThat(socket.call("CONFIG", "GET", "announce-*").toString()).contains("$6:7.4.11");
      assertThat(socket.call("CONFIG", "SET", "announce-redis-version", "8.0.0").text())
          .endsWith("can't set immutable config");
      assertThat(socket.call("CONFIG", "SET", "announce-redis-version", "7.4.11").text())
          .isEqualTo("OK");
      assertThat(socket.call("CONFIG", "SET", "cluster-announce-ip", "10.0.0.1").text())
          .isEqualTo("OK");
    }
  }

  private static void assertTold(RespSocket socket, String release, int number) throws IOException {
    assertThat(socket.call("HELLO").toString()).contains("$7:version, $" + release.length());
    assertThat(socket.call("HELLO").toString()).contains(":" + release + ",");
    assertThat(socket.call("INFO", "server").text()).contains("redis_version:" + release + "\r\n");
    assertThat(socket.call("EVAL", "return redis.REDIS_VERSION", "0").payload()).isEqualTo(release);
    assertThat(socket.call("EVAL", "return redis.REDIS_VERSION_NUM", "0").toString())
        .isEqualTo(":" + number);
    assertThat(socket.call("LOLWUT").text()).contains("Redis ver. " + release);
  }

  @Test
  void announcedRelease_thatIsNone_isRefused() {
    for (String wrong : List.of("", "8", "8.0", "8.0.256", "8.0.x", "unstable")) {
      assertThatThrownBy(() -> TestServers.with("announce-redis-version", wrong))
          .hasMessageContaining("argument must be a release such as 8.0.6");
    }
  }

  @Test
  void info_hasWhatRedisHasSince7() throws IOException {
    List<String> names;
    try (var in = ReleaseTest.class.getResourceAsStream("info-fields.txt")) {
      names = new String(in.readAllBytes(), UTF_8).lines().toList();
    }
    assertThat(names).hasSizeGreaterThan(150);
    try (RedisServer server = TestServers.with().start();
        RespSocket socket = new RespSocket(server.port())) {
      List<String> ours =
          socket
              .call("INFO", "everything")
              .text()
              .lines()
              .filter(line -> line.contains(":"))
              .map(line -> line.substring(0, line.indexOf(':')))
              .toList();
      assertThat(ours).containsAll(names).doesNotHaveDuplicates();
      String memory = socket.call("INFO", "memory").text();
      assertThat(memory)
          .containsPattern("used_memory_peak_perc:\\d+\\.\\d\\d%\r\n")
          .containsPattern("mem_fragmentation_ratio:\\d+\\.\\d\\d\r\n")
          .containsPattern("total_system_memory:[1-9]\\d+\r\n");
      assertThat(socket.call("INFO", "server").text())
          .containsPattern("kermes_version:[0-9.]+\r\n");
    }
  }

  @Test
  void memoryStats_haveWhatRedisHas() throws IOException {
    try (RedisServer server = TestServers.with().start();
        RespSocket socket = new RespSocket(server.port())) {
      socket.call("SET", "k", "v");
      assertThat(socket.call("HELLO", "3").elements()).isNotEmpty();
      assertThat(socket.call("MEMORY", "STATS").toString())
          .contains("$14:peak.allocated, :", "$17:startup.allocated, :", "$19:replication.backlog")
          .contains("$14:clients.slaves", "$13:cluster.links", "$10:aof.buffer", "$4:db.0, ")
          .contains("$18:dataset.percentage, ,", "$15:peak.percentage, ,", "$13:fragmentation, ,")
          .contains("$18:allocator.resident, :", "$29:allocator-fragmentation.ratio, ,");
    }
  }
}
