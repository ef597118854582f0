package dev.kermes.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.Programs.Result;
import dev.kermes.testing.RespSocket;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@code kermes cluster} as a process. */
@Timeout(120)
class ClusterProgramTest {

  @Test
  void serve_startsAClusterThatEndsWithTheProcess() throws Exception {
    Process process =
        Programs.kermes(
            "cluster", "--masters", "2", "--replicas", "1", "--port", "0", "--maxmemory", "10mb");
    BufferedReader out = process.inputReader();
    List<String> nodes = new ArrayList<>();
    String line = out.readLine();
    while (line != null && !line.startsWith("Ready: ")) {
      nodes.add(line);
      line = out.readLine();
    }
    assertThat(nodes).hasSize(4);
    assertThat(nodes.get(0)).matches("master 127\\.0\\.0\\.1:\\d+");
    assertThat(nodes.get(2)).matches("replica 127\\.0\\.0\\.1:\\d+");
    int port = Integer.parseInt(nodes.get(0).substring("master 127.0.0.1:".length()));
    assertThat(line).isEqualTo("Ready: redis-cli -c -p " + port);
    try (RespSocket socket = new RespSocket(port)) {
      assertThat(socket.call("CLUSTER", "INFO").text()).contains("cluster_state:ok");
      assertThat(socket.call("CONFIG", "GET", "maxmemory").toString()).contains("10485760");
    }
    process.toHandle().destroy(); // SIGTERM
    assertThat(Programs.finish(process, "").err()).isEmpty();
  }

  @Test
  void mistakes_areNamed() throws Exception {
    Result result = Programs.finish(Programs.kermes("cluster", "--masters", "many"), "");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("kermes: not a number: --masters=many\n");
    assertThat(Programs.finish(Programs.kermes("cluster", "--port"), "").err())
        .isEqualTo("kermes: value missing: option=--port\n");
    assertThat(Programs.finish(Programs.kermes("cluster", "3"), "").err())
        .startsWith("kermes: unknown argument: 3\nusage: kermes cluster");
  }
}
