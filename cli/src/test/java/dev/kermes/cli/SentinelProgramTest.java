package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.Programs.Result;
import dev.kermes.testing.RespSocket;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@code kermes sentinel} as a process. */
@Timeout(120)
class SentinelProgramTest {

  @Test
  void serve_startsServersAndSentinelsThatEndWithTheProcess() throws Exception {
    Process process =
        Programs.kermes(
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
    BufferedReader out = process.inputReader();
    List<String> nodes = new ArrayList<>();
    String line = out.readLine();
    while (line != null && !line.startsWith("Ready: ")) {
      nodes.add(line);
      line = out.readLine();
    }
    assertThat(nodes).hasSize(4);
    assertThat(nodes.get(0)).matches("master 127\\.0\\.0\\.1:\\d+");
    assertThat(nodes.get(1)).matches("replica 127\\.0\\.0\\.1:\\d+");
    assertThat(nodes.get(3)).matches("sentinel 127\\.0\\.0\\.1:\\d+");
    int sentinel = Integer.parseInt(nodes.get(2).substring("sentinel 127.0.0.1:".length()));
    assertThat(line).isEqualTo("Ready: redis-cli -p " + sentinel + " sentinel masters");
    String master = nodes.get(0).substring("master 127.0.0.1:".length());
    try (RespSocket socket = new RespSocket(sentinel)) {
      assertThat(socket.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster").toString())
          .contains(":" + master);
      assertThat(socket.call("SENTINEL", "MASTER", "mymaster").toString())
          .contains("$23:down-after-milliseconds, $3:700");
    }
    try (RespSocket socket = new RespSocket(Integer.parseInt(master))) {
      assertThat(socket.call("CONFIG", "GET", "maxmemory").toString()).contains("10485760");
    }
    process.toHandle().destroy(); // SIGTERM
    assertThat(Programs.finish(process, "").err()).isEmpty();
  }

  @Test
  void mistakes_areNamed() throws Exception {
    Result result = Programs.finish(Programs.kermes("sentinel", "--sentinels", "0"), "");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).startsWith("kermes: no such sentinels: replicas=1, sentinels=0");
    assertThat(Programs.finish(Programs.kermes("sentinel", "3"), "").err())
        .startsWith("kermes: unknown argument: 3\nusage: kermes sentinel");
  }
}
