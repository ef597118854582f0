package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import dev.kermes.testing.RespSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@code kermes sentinel} as a process. */
@Timeout(120)
class SentinelProgramTest {

  @Test
  void serve_startsServersAndSentinelsThatEndWithTheProcess() throws Exception {
    NodesProcess servers =
        NodesProcess.start(
            "sentinel",
            "--replicas",
            "1",
            "--sentinels",
            "2",
            "--port",
            "0",
            "--sentinel-port",
            "0",
            "--down-after-milliseconds",
            "700",
            "--maxmemory",
            "10mb");
    assertThat(servers.nodes()).hasSize(4);
    assertThat(servers.nodes().get(0)).matches("master 127\\.0\\.0\\.1:\\d+");
    assertThat(servers.nodes().get(1)).matches("replica 127\\.0\\.0\\.1:\\d+");
    assertThat(servers.nodes().get(3)).matches("sentinel 127\\.0\\.0\\.1:\\d+");
    int master = servers.port(0);
    int sentinel = servers.port(2);
    assertThat(servers.ready()).isEqualTo("Ready: redis-cli -p " + sentinel + " sentinel masters");
    try (RespSocket socket = new RespSocket(sentinel)) {
      assertThat(socket.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster").toString())
          .contains(":" + master);
      assertThat(socket.call("SENTINEL", "MASTER", "mymaster").toString())
          .contains("$23:down-after-milliseconds, $3:700");
    }
    try (RespSocket socket = new RespSocket(master)) {
      assertThat(socket.call("CONFIG", "GET", "maxmemory").toString()).contains("10485760");
    }
    assertThat(servers.end().err()).isEmpty();
  }

  @Test
  void mistakes_areNamed() throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, "sentinel", "--sentinels", "0"), "");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).startsWith("kermes: no such sentinels: replicas=1, sentinels=0");
    assertThat(Programs.finish(Programs.start(Main.class, "sentinel", "3"), "").err())
        .startsWith("kermes: unknown argument: 3\nusage: kermes sentinel");
  }
}
