package dev.kermes.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.kermes.testing.Executables;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** redis-cli --cluster, as installed on this machine. */
@Timeout(120)
class RedisCliClusterTest {

  private KermesCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = KermesCluster.start(3, 1);
    for (int i = 0; i < 3; i++) {
      try (RespSocket node = new RespSocket(cluster.node(i).port())) {
        for (int k = 0; k < 600; k++) node.call("SET", "key" + k, "v"); // a third is stored here
      }
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private String cli(String action, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(executable(), "--cluster", action));
    command.add("127.0.0.1:" + cluster.node(0).port());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static String executable() {
    return Executables.find("redis-cli")
        .orElseGet(() -> abort("redis-cli is not on the PATH (Debian: redis-tools)"));
  }

  @Test
  void check_findsNoMistake() throws Exception {
    assertThat(cli("check"))
        .contains("[OK] 600 keys in 3 masters.")
        .contains("[OK] All nodes agree about slots configuration.")
        .contains("[OK] All 16384 slots covered.");
  }

  @Test
  void info_countsKeys() throws Exception {
    assertThat(cli("info")).contains("[OK] 600 keys in 3 masters.", "5461 slots | 1 slaves.");
  }

  @Test
  void call_reachesAllNodes() throws Exception {
    assertThat(cli("call", "PING").lines().filter(line -> line.endsWith("PONG"))).hasSize(6);
  }

  @Test
  void reshard_movesSlotsWithTheirKeys() throws Exception {
    cli(
        "reshard",
        "--cluster-from",
        cluster.node(0).id(),
        "--cluster-to",
        cluster.node(1).id(),
        "--cluster-slots",
        "500",
        "--cluster-yes");
    assertThat(cli("check"))
        .contains("4961 slots | 1 slaves.", "5961 slots | 1 slaves.")
        .contains("[OK] 600 keys in 3 masters.")
        .contains("[OK] All 16384 slots covered.");
  }

  @Test
  void rebalance_evensSlots() throws Exception {
    cluster.move(0, 999, cluster.node(2));
    cli("rebalance");
    assertThat(cli("check"))
        .contains("5461 slots", "5462 slots")
        .doesNotContain("4461 slots")
        .contains("[OK] 600 keys in 3 masters.");
  }

  @Test
  void delNode_takesAReplicaOut() throws Exception {
    cli("del-node", cluster.node(4).id());
    assertThat(cli("check"))
        .contains("5461 slots | 0 slaves.", "[OK] All 16384 slots covered.")
        .doesNotContain(cluster.node(4).id());
  }
}
