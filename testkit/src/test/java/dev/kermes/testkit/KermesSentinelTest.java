package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testing.KermesThreads;
import dev.kermes.testing.Ports;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KermesSentinelTest {

  private static final String NAME = "mymaster";

  private static RespSocket socket(KermesSentinel.Node node) throws IOException {
    return new RespSocket(node.port());
  }

  private static String call(KermesSentinel.Node node, String line) throws IOException {
    try (RespSocket socket = socket(node)) {
      return socket.call(line.split(" ")).toString();
    }
  }

  @Test
  void start_replicatesAndIsWatched() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3)) {
      assertThat(sentinel.nodes()).hasSize(3);
      assertThat(sentinel.sentinels()).hasSize(3);
      assertThat(sentinel.master()).isSameAs(sentinel.node(0));
      assertThat(sentinel.replicas()).containsExactly(sentinel.node(1), sentinel.node(2));
      assertThat(sentinel.node(0).toString()).startsWith("master 127.0.0.1:");
      assertThat(sentinel.node(1).toString()).startsWith("replica 127.0.0.1:");
      assertThat(sentinel.sentinel(0).toString()).startsWith("sentinel 127.0.0.1:");
      try (RespSocket master = socket(sentinel.master())) {
        master.call("SET", "foo", "1");
        assertThat(master.call("WAIT", "2", "0")).hasToString(":2");
      }
      assertThat(call(sentinel.sentinel(2), "SENTINEL CKQUORUM mymaster"))
          .startsWith("+OK 3 usable Sentinels.");
    }
  }

  @Test
  void start_usesPortsAndOptions() throws IOException {
    int port = Ports.free();
    int sentinelPort = Ports.free();
    try (KermesSentinel sentinel =
        KermesSentinel.builder()
            .replicas(0)
            .sentinels(1)
            .port(port)
            .sentinelPort(sentinelPort)
            .option("maxmemory", "10mb")
            .sentinelOption("requirepass", "secret")
            .start()) {
      assertThat(sentinel.node(0).url()).isEqualTo("redis://127.0.0.1:" + port);
      assertThat(sentinel.url())
          .isEqualTo("redis-sentinel://127.0.0.1:" + sentinelPort + "?master=mymaster");
      assertThat(call(sentinel.node(0), "CONFIG GET maxmemory")).contains("10485760");
      assertThat(call(sentinel.sentinel(0), "SENTINEL MASTERS")).startsWith("-NOAUTH");
      assertThat(call(sentinel.sentinel(0), "AUTH secret")).isEqualTo("+OK");
    }
  }

  @Test
  void start_refusesMistakes() {
    assertThatThrownBy(() -> KermesSentinel.start(1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no such sentinels: replicas=1, sentinels=0");
    assertThatThrownBy(() -> KermesSentinel.builder().option("maxmemori", "1").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxmemori");
  }

  @Test
  void close_endsAllThreads() throws InterruptedException {
    Set<Thread> before = KermesThreads.running();
    for (int i = 0; i < 5; i++) {
      KermesSentinel sentinel = KermesSentinel.start(1, 3);
      sentinel.freeze(sentinel.node(0));
      sentinel.kill(sentinel.sentinel(0));
      sentinel.close();
    }
    assertThat(KermesThreads.leftSince(before)).isEmpty();
  }

  @Test
  void failover_keepsAllWrites() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3);
        RespSocket old = socket(sentinel.master())) {
      KermesSentinel.Node former = sentinel.master();
      for (int i = 0; i < 1000; i++) old.call("SET", "key" + i, "v");
      KermesSentinel.Node master = sentinel.failover();
      assertThat(master).isNotSameAs(former).isSameAs(sentinel.master());
      assertThat(former.isMaster()).isFalse();
      assertThat(call(master, "DBSIZE")).isEqualTo(":1000");
      assertThat(call(master, "SET a b")).isEqualTo("+OK");
      assertThat(call(former, "SET a b")).startsWith("-READONLY");
      assertThat(old.readToEnd()).isEmpty(); // its clients are sent away, to ask the sentinels
      for (KermesSentinel.Node each : sentinel.sentinels()) {
        assertThat(call(each, "SENTINEL GET-MASTER-ADDR-BY-NAME " + NAME))
            .contains(":" + master.port());
      }
    }
  }

  @Test
  void failover_byACommandOfAClient() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 1)) {
      KermesSentinel.Node former = sentinel.master();
      assertThat(call(sentinel.sentinel(0), "SENTINEL FAILOVER mymaster")).isEqualTo("+OK");
      assertThat(call(sentinel.sentinel(0), "SENTINEL FAILOVER mymaster"))
          .isIn("-INPROG Failover already in progress", "+OK"); // it may have ended
      NodeProcess.await("replaced", () -> sentinel.master() != former);
    }
  }

  @Test
  void failover_byTheMasterItself_isFollowed() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 1)) {
      KermesSentinel.Node former = sentinel.master();
      assertThat(call(former, "FAILOVER")).isEqualTo("+OK");
      NodeProcess.await("replaced", () -> sentinel.master() != former);
      assertThat(sentinel.awaitMaster()).isSameAs(sentinel.node(1));
    }
  }

  /** Makes the master hand over to a replica that never answers, as one that has just ended. */
  private static void handOver(KermesSentinel sentinel, ServerSocket silent) throws IOException {
    String port = Integer.toString(silent.getLocalPort());
    try (RespSocket master = socket(sentinel.master());
        RespSocket replica = socket(sentinel.master())) {
      replica.send("REPLCONF", "listening-port", port);
      replica.send("PSYNC", "?", "-1");
      replica.send("REPLCONF", "ACK", "0");
      master.awaitInfo("port=" + port + ",state=online");
      master.call("FAILOVER", "TO", "127.0.0.1", port, "FORCE", "TIMEOUT", "1");
      master.awaitInfo("master_failover_state:failover-in-progress");
    }
  }

  @Test
  void takeOver_byAnotherAmidAHandoverWithoutAnswer_isFollowed() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        KermesSentinel sentinel = KermesSentinel.start(1, 1)) {
      KermesSentinel.Node former = sentinel.master();
      handOver(sentinel, silent);
      sentinel.node(1).state().running().takeOver();
      NodeProcess.await("replaced", () -> !former.isMaster());
      former.process().awaitSync();
      assertThat(call(former, "INFO replication")).contains("master_failover_state:no-failover");
      assertThat(call(former, "SET a b")).startsWith("-READONLY");
    }
  }

  @Test
  void takeOver_amidAHandoverWithoutAnswer_endsIt() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        KermesSentinel sentinel = KermesSentinel.start(1, 1);
        RespSocket master = socket(sentinel.master())) {
      handOver(sentinel, silent);
      sentinel.master().state().running().takeOver();
      master.awaitInfo("master_failover_state:no-failover");
      assertThat(master.call("SET", "a", "b")).hasToString("+OK");
      sentinel.node(1).process().awaitSync();
    }
  }

  @Test
  void failover_needsAReplica() {
    try (KermesSentinel sentinel = KermesSentinel.start(0, 1)) {
      assertThatThrownBy(sentinel::failover)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("NOGOODSLAVE No suitable replica to promote");
    }
  }

  @Test
  void failover_prefersTheReplicaWithTheLowestPriority() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(3, 1)) {
      call(sentinel.node(1), "CONFIG SET replica-priority 0");
      call(sentinel.node(3), "CONFIG SET replica-priority 10");
      assertThat(sentinel.failover()).isSameAs(sentinel.node(3));
    }
  }

  @Test
  void killedMaster_isReplacedByTheReplicaWithItsWrites() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3);
        RespSocket master = socket(sentinel.master())) {
      sentinel.freeze(sentinel.node(1));
      master.call("SET", "a", "1");
      assertThat(master.call("WAIT", "1", "0")).hasToString(":1");
      sentinel.kill(sentinel.node(0));
      sentinel.thaw(sentinel.node(1)); // it may take over, too, but lacks the write if it is slower
      KermesSentinel.Node next = sentinel.awaitMaster();
      assertThat(call(next, "GET a")).isEqualTo("$1:1");
      sentinel.restart(sentinel.node(0));
      assertThat(sentinel.node(0).isMaster()).isFalse();
      assertThat(call(sentinel.node(0), "GET a")).isEqualTo("$1:1");
    }
  }

  @Test
  void frozenMaster_isReplacedAndBecomesAReplica() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3)) {
      KermesSentinel.Node former = sentinel.master();
      sentinel.freeze(former);
      assertThat(former.isFailed()).isTrue();
      assertThat(sentinel.awaitMaster()).isSameAs(sentinel.node(1));
      assertThat(call(sentinel.node(1), "SET a 1")).isEqualTo("+OK");
      sentinel.thaw(former);
      assertThat(call(former, "GET a")).isEqualTo("$1:1");
      assertThat(call(former, "SET a 2")).startsWith("-READONLY");
    }
  }

  @Test
  void masterThatIsBackInTime_staysTheMaster() {
    try (KermesSentinel sentinel =
        KermesSentinel.builder().downAfter(Duration.ofSeconds(20)).start()) {
      KermesSentinel.Node master = sentinel.master();
      sentinel.freeze(master);
      sentinel.thaw(master);
      assertThat(sentinel.awaitMaster()).isSameAs(master);
    }
  }

  @Test
  void minorityOfSentinels_doesNotFailOver() throws IOException {
    ManualClock clock = Clock.manual(1_700_000_000_000L);
    try (KermesSentinel sentinel = KermesSentinel.builder().quorum(1).clock(clock).start()) {
      sentinel.kill(sentinel.sentinel(0));
      sentinel.kill(sentinel.sentinel(1));
      KermesSentinel.Node master = sentinel.master();
      sentinel.kill(master);
      clock.advance(Duration.ofMillis(1));
      clock.advance(Duration.ofSeconds(1));
      assertThat(call(sentinel.sentinel(2), "SENTINEL MASTER mymaster")).contains("o_down,master");
      assertThat(call(sentinel.sentinel(2), "SENTINEL CKQUORUM mymaster"))
          .isEqualTo(
              "-NOQUORUM 1 usable Sentinels. Not enough available Sentinels to reach the majority"
                  + " and authorize a failover");
      clock.advance(Duration.ofSeconds(100));
      assertThat(sentinel.master()).isSameAs(master);
      sentinel.restart(sentinel.sentinel(0));
      assertThat(sentinel.awaitMaster()).isSameAs(sentinel.node(1));
    }
  }

  @Test
  void time_isThatOfTheClock() throws IOException {
    ManualClock clock = Clock.manual(1_700_000_000_000L);
    try (KermesSentinel sentinel =
            KermesSentinel.builder().clock(clock).downAfter(Duration.ofHours(1)).start();
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(0).port())) {
      sentinel.kill(sentinel.master());
      clock.advance(Duration.ofMinutes(59));
      assertThat(call(sentinel.sentinel(0), "SENTINEL MASTER mymaster")).doesNotContain("s_down");
      clock.advance(Duration.ofMinutes(2));
      assertThat(events.next()).startsWith("+sdown master mymaster");
      assertThat(sentinel.awaitMaster()).isSameAs(sentinel.node(1));
    }
  }

  @Test
  void ids_followTheSeed() throws IOException {
    String id;
    try (KermesSentinel sentinel = KermesSentinel.builder().replicas(0).seed(7).start()) {
      id = call(sentinel.sentinel(0), "SENTINEL MYID");
    }
    try (KermesSentinel sentinel = KermesSentinel.builder().replicas(0).seed(7).start()) {
      assertThat(call(sentinel.sentinel(0), "SENTINEL MYID")).isEqualTo(id);
    }
  }

  @Test
  void announcedAddress_isTheOneThatOtherSentinelsReport() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(0, 2)) {
      call(sentinel.sentinel(1), "SENTINEL CONFIG SET announce-ip 10.0.0.1 announce-port 99");
      assertThat(call(sentinel.sentinel(0), "SENTINEL SENTINELS mymaster"))
          .contains("$2:ip, $8:10.0.0.1, $4:port, $2:99");
    }
  }
}
