package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events that sentinels publish, some of them compared with those of redis-sentinel. */
@Timeout(60)
class SentinelEventsTest {

  private static final String NAME = "mymaster";

  /**
   * The events of a killed master, up to the moment when clients know the next one. While
   * redis-sentinel tries to connect to the master again, it may take it for one that is there.
   */
  private static List<String> failover(SentinelEvents events, int master, int replica, String id)
      throws IOException {
    return events.until("+slave slave").stream()
        .filter(each -> !each.startsWith("-sdown") && !each.startsWith("-odown"))
        .map(each -> each.replace(Integer.toString(master), "<master>"))
        .map(each -> each.replace(Integer.toString(replica), "<replica>").replace(id, "<id>"))
        .toList();
  }

  @Test
  @SuppressWarnings("try") // the master is closed twice
  void killedMaster_hasTheEventsOfRedisSentinel() throws IOException {
    List<String> expected;
    try (RealRedis master = RealRedis.start("--repl-diskless-sync-delay", "0");
        RealRedis replica = RealRedis.start("--replicaof", "127.0.0.1 " + master.port());
        RealRedis sentinel =
            RealRedis.startSentinel(
                "sentinel monitor mymaster 127.0.0.1 %d 1".formatted(master.port()),
                "sentinel down-after-milliseconds mymaster 500");
        RespSocket asking = new RespSocket(sentinel.port())) {
      String linked = "";
      while (!linked.contains("master-link-status, $2:ok")) {
        linked = asking.call("SENTINEL", "REPLICAS", NAME).toString();
      }
      String id = asking.call("SENTINEL", "MYID").payload();
      try (SentinelEvents events = new SentinelEvents(sentinel.port())) {
        master.close();
        expected = failover(events, master.port(), replica.port(), id);
      }
    }
    try (KermesSentinel sentinel = KermesSentinel.start(1, 1);
        RespSocket asking = new RespSocket(sentinel.sentinel(0).port());
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(0).port())) {
      String id = asking.call("SENTINEL", "MYID").payload();
      sentinel.kill(sentinel.node(0));
      assertThat(failover(events, sentinel.node(0).port(), sentinel.node(1).port(), id))
          .isEqualTo(expected);
    }
  }

  @Test
  void failover_reconfiguresTheOtherReplicas() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(2, 3);
        SentinelEvents leader = new SentinelEvents(sentinel.sentinel(0).port());
        SentinelEvents other = new SentinelEvents(sentinel.sentinel(1).port())) {
      String before = sentinel.master().host() + " " + sentinel.master().port();
      sentinel.failover();
      String after = sentinel.master().host() + " " + sentinel.master().port();
      String change = "+switch-master " + NAME + " " + before + " " + after;
      assertThat(leader.until("+switch-master"))
          .extracting(event -> event.split(" ")[0])
          .containsExactly(
              "+new-epoch",
              "+try-failover",
              "+vote-for-leader",
              "+elected-leader",
              "+failover-state-select-slave",
              "+selected-slave",
              "+failover-state-send-slaveof-noone",
              "+failover-state-wait-promotion",
              "-role-change",
              "+promoted-slave",
              "+failover-state-reconf-slaves",
              "+slave-reconf-sent",
              "+slave-reconf-inprog",
              "+slave-reconf-done",
              "+failover-end",
              "+switch-master");
      List<String> heard = other.until("+switch-master");
      assertThat(heard).hasSize(3).startsWith("+new-epoch 1").endsWith(change);
      assertThat(heard.get(1)).endsWith(" new reported role is master");
      assertThat(List.of(other.next(), other.next()))
          .allMatch(event -> event.startsWith("+slave slave 127.0.0.1:"))
          .allMatch(event -> event.endsWith(" @ " + NAME + " " + after));
    }
  }

  @Test
  void restartedMaster_isConvertedToAReplica() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3);
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(0).port())) {
      KermesSentinel.Node former = sentinel.master();
      sentinel.kill(former);
      String asReplica =
          "slave 127.0.0.1:%1$d 127.0.0.1 %1$d @ mymaster 127.0.0.1 %2$d"
              .formatted(former.port(), sentinel.awaitMaster().port());
      assertThat(events.until("+sdown slave")).endsWith("+sdown " + asReplica);
      sentinel.restart(former);
      assertThat(events.next()).isEqualTo("-sdown " + asReplica);
      assertThat(events.next()).isEqualTo("+convert-to-slave " + asReplica);
      assertThat(former.isMaster()).isFalse();
    }
  }

  @Test
  void rebootedMaster_isAnnouncedIfItComesBackInTime() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(0, 1);
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(0).port())) {
      KermesSentinel.Node master = sentinel.master();
      sentinel.kill(master);
      String named = "master mymaster 127.0.0.1 " + master.port();
      assertThat(events.until("-failover-abort-no-good-slave"))
          .contains("+odown " + named + " #quorum 1/1");
      sentinel.restart(master);
      assertThat(events.next()).isEqualTo("-sdown " + named);
      assertThat(events.next()).isEqualTo("+reboot " + named);
      assertThat(events.next()).isEqualTo("-odown " + named);
    }
  }

  @Test
  void lostSentinel_isDown() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 3);
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(0).port());
        RespSocket asking = new RespSocket(sentinel.sentinel(0).port())) {
      KermesSentinel.Node lost = sentinel.sentinel(2);
      sentinel.freeze(lost);
      assertThat(events.next())
          .matches("\\+sdown sentinel [0-9a-f]{40} 127.0.0.1 " + lost.port() + " @ mymaster .*");
      assertThat(asking.call("SENTINEL", "SENTINELS", NAME).toString()).contains("s_down,sentinel");
      sentinel.thaw(lost);
      assertThat(events.next()).startsWith("-sdown sentinel ");
    }
  }

  @Test
  void changes_areAnnouncedAtAllSentinels() throws IOException {
    try (KermesSentinel sentinel = KermesSentinel.start(1, 2);
        SentinelEvents events = new SentinelEvents(sentinel.sentinel(1).port());
        RespSocket asking = new RespSocket(sentinel.sentinel(0).port())) {
      String named = "master mymaster 127.0.0.1 " + sentinel.node(0).port();
      String other = "master other 127.0.0.1 1";
      asking.call("SENTINEL", "SET", NAME, "quorum", "1", "auth-pass", "secret");
      assertThat(events.next()).isEqualTo("+set " + named + " quorum 1");
      assertThat(events.next()).isEqualTo("+set " + named + " auth-pass ******");
      asking.call("SENTINEL", "MONITOR", "other", "127.0.0.1", "1", "2");
      assertThat(events.next()).isEqualTo("+monitor " + other + " quorum 2");
      assertThat(events.next()).startsWith("+sentinel sentinel ");
      assertThat(events.next()).startsWith("+sentinel sentinel ");
      asking.call("SENTINEL", "REMOVE", "other");
      assertThat(events.next()).isEqualTo("-monitor " + other);
      asking.call("SENTINEL", "RESET", "my*");
      assertThat(events.next()).isEqualTo("+reset-master " + named);
      assertThat(events.next()).startsWith("+slave slave 127.0.0.1:");
    }
  }
}
