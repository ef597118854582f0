package dev.kermes.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.Programs;
import dev.kermes.testing.Programs.Result;
import dev.kermes.testing.RespSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@code kermes cluster} as a process. */
@Timeout(120)
class ClusterProgramTest {

  @Test
  void serve_startsAClusterThatEndsWithTheProcess() throws Exception {
    NodesProcess cluster =
        NodesProcess.start(
            "cluster", "--masters", "2", "--replicas", "1", "--port", "0", "--maxmemory", "10mb");
    assertThat(cluster.nodes()).hasSize(4);
    assertThat(cluster.nodes().get(0)).matches("master 127\\.0\\.0\\.1:\\d+");
    assertThat(cluster.nodes().get(2)).matches("replica 127\\.0\\.0\\.1:\\d+");
    assertThat(cluster.ready()).isEqualTo("Ready: redis-cli -c -p " + cluster.port(0));
    try (RespSocket socket = new RespSocket(cluster.port(0))) {
      assertThat(socket.call("CLUSTER", "INFO").text()).contains("cluster_state:ok");
      assertThat(socket.call("CONFIG", "GET", "maxmemory").toString()).contains("10485760");
    }
    assertThat(cluster.end().err()).isEmpty();
  }

  @Test
  void orders_freezeAndThawNodes() throws Exception {
    NodesProcess cluster =
        NodesProcess.start(
            "cluster", "--masters", "1", "--replicas", "1", "--port", "0", "--orders", "stdin");
    assertThat(cluster.order("freeze " + cluster.port(0)))
        .isEqualTo("done: freeze " + cluster.port(0));
    try (RespSocket socket = new RespSocket(cluster.port(1))) {
      assertThat(socket.call("SET", "k", "v")).hasToString("+OK"); // it has taken over
    }
    assertThat(cluster.order("thaw " + cluster.port(0))).startsWith("done: ");
    try (RespSocket socket = new RespSocket(cluster.port(0))) {
      assertThat(socket.call("ROLE").toString()).contains("slave");
    }
    assertThat(cluster.order("melt 1")).startsWith("refused: melt 1: ");
    assertThat(cluster.end().err()).isEmpty();
  }

  @Test
  void mistakes_areNamed() throws Exception {
    Result result = Programs.finish(Programs.start(Main.class, "cluster", "--masters", "many"), "");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).isEqualTo("kermes: not a number: --masters=many\n");
    assertThat(Programs.finish(Programs.start(Main.class, "cluster", "--port"), "").err())
        .isEqualTo("kermes: value missing: option=--port\n");
    assertThat(Programs.finish(Programs.start(Main.class, "cluster", "--orders", "x"), "").err())
        .isEqualTo("kermes: orders come from stdin: --orders=x\n");
    assertThat(Programs.finish(Programs.start(Main.class, "cluster", "3"), "").err())
        .startsWith("kermes: unknown argument: 3\nusage: kermes cluster");
  }
}
