package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RealRedis;
import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replies of a sentinel with one master and one replica, compared with those of redis-sentinel. */
@Timeout(60)
class SentinelComparisonTest {

  private static final String NAME = "mymaster";

  private static RealRedis realMaster;
  private static RealRedis realReplica;
  private static RealRedis realSentinel;
  private static KermesSentinel sentinel;
  private static RespSocket real;
  private static RespSocket ours;

  @BeforeAll
  static void start() throws IOException {
    realMaster = RealRedis.start("--repl-diskless-sync-delay", "0");
    realReplica = RealRedis.start("--replicaof", "127.0.0.1 " + realMaster.port());
    realSentinel =
        RealRedis.startSentinel(
            "sentinel monitor mymaster 127.0.0.1 %d 1".formatted(realMaster.port()));
    sentinel =
        KermesSentinel.builder().sentinels(1).downAfter(Duration.ofSeconds(30)).seed(1).start();
    real = new RespSocket(realSentinel.port());
    ours = new RespSocket(sentinel.sentinel(0).port());
    String linked = "";
    while (!linked.contains("master-link-status, $2:ok")) {
      linked = real.call("SENTINEL", "REPLICAS", NAME).toString();
    }
    ours.call("SENTINEL", "SET", NAME, "failover-timeout", "180000");
  }

  @AfterAll
  static void stop() throws IOException {
    real.close();
    ours.close();
    realSentinel.close();
    realReplica.close();
    realMaster.close();
    sentinel.close();
  }

  /** A reply with the master's and the replica's port replaced. */
  private static String real(String... words) throws IOException {
    return neutral(real, realMaster.port(), realReplica.port(), words);
  }

  private static String ours(String... words) throws IOException {
    return neutral(ours, sentinel.node(0).port(), sentinel.node(1).port(), words);
  }

  private static String neutral(RespSocket socket, int master, int replica, String... words)
      throws IOException {
    List<String> own = new ArrayList<>();
    for (String each : words) own.add(each.replace("<master>", Integer.toString(master)));
    return socket
        .call(own)
        .toString()
        .replace(Integer.toString(master), "<master>")
        .replace(Integer.toString(replica), "<replica>")
        .replaceAll("\\$\\d+:", "\\$:");
  }

  private static void compareAll(String... lines) throws IOException {
    for (String line : lines) {
      String expected = real(line.split(" "));
      assertThat(ours(line.split(" "))).as(line).isEqualTo(expected);
    }
  }

  @Test
  void commandsOfServers_areUnknown() throws IOException {
    compareAll(
        "GET a",
        "SET a b",
        "SELECT 0",
        "MULTI",
        "EVAL x 0",
        "CONFIG GET maxmemory",
        "PUBSUB CHANNELS",
        "ECHO a",
        "REPLICAOF NO ONE",
        "CLUSTER INFO",
        "DBSIZE",
        "FLUSHALL",
        "RESET",
        "WHATEVER 1 2");
  }

  @Test
  void connections() throws IOException {
    compareAll(
        "PING",
        "PING a",
        "PUBLISH a b",
        "CLIENT SETNAME me",
        "CLIENT GETNAME",
        "CLIENT NOSUCH",
        "AUTH wrong",
        "AUTH no one",
        "ACL WHOAMI",
        "ACL USERS",
        "ROLE",
        "HELLO 4",
        "COMMAND INFO get",
        "COMMAND NOSUCH",
        "PUBLISH");
  }

  @Test
  void masters() throws IOException {
    compareAll(
        "SENTINEL",
        "SENTINEL NOSUCH",
        "SENTINEL MASTER",
        "SENTINEL MASTER nosuch",
        "SENTINEL MASTERS x",
        "SENTINEL REPLICAS nosuch",
        "SENTINEL SLAVES nosuch",
        "SENTINEL SENTINELS nosuch",
        "SENTINEL SENTINELS mymaster",
        "SENTINEL GET-MASTER-ADDR-BY-NAME mymaster",
        "SENTINEL get-master-addr-by-name nosuch",
        "SENTINEL CKQUORUM mymaster",
        "SENTINEL CKQUORUM nosuch",
        "SENTINEL PENDING-SCRIPTS",
        "SENTINEL FLUSHCONFIG",
        "SENTINEL FAILOVER nosuch",
        "SENTINEL RESET nosuch*",
        "SENTINEL REMOVE nosuch",
        "SENTINEL INFO-CACHE nosuch",
        "SENTINEL INFO-CACHE",
        "SENTINEL SIMULATE-FAILURE HELP",
        "SENTINEL IS-MASTER-DOWN-BY-ADDR 127.0.0.1 <master> 0 *",
        "SENTINEL IS-MASTER-DOWN-BY-ADDR 127.0.0.1 1 0 *",
        "SENTINEL IS-MASTER-DOWN-BY-ADDR 127.0.0.1 x 0 *",
        "SENTINEL IS-MASTER-DOWN-BY-ADDR 127.0.0.1 <master> 0 me");
    assertThat(ours("SENTINEL", "MYID")).hasSameSizeAs(real("SENTINEL", "MYID"));
  }

  @Test
  void monitor() throws IOException {
    compareAll(
        "SENTINEL MONITOR other 127.0.0.1 1 x",
        "SENTINEL MONITOR other 127.0.0.1 x 1",
        "SENTINEL MONITOR other 127.0.0.1 1 0",
        "SENTINEL MONITOR other nohost 1 1",
        "SENTINEL MONITOR other 127.0.0.1 70000 1",
        "SENTINEL MONITOR mymaster 127.0.0.1 1 1",
        "SENTINEL MONITOR other 127.0.0.1 1 2",
        "SENTINEL GET-MASTER-ADDR-BY-NAME other",
        "SENTINEL CKQUORUM other",
        "SENTINEL FAILOVER other",
        "SENTINEL REPLICAS other",
        "SENTINEL SET other quorum 1",
        "SENTINEL CKQUORUM other",
        "SENTINEL RESET other",
        "SENTINEL REMOVE other",
        "SENTINEL GET-MASTER-ADDR-BY-NAME other");
  }

  @Test
  void set() throws IOException {
    compareAll(
        "SENTINEL SET mymaster",
        "SENTINEL SET nosuch quorum 1",
        "SENTINEL SET mymaster quorum",
        "SENTINEL SET mymaster quorum 0",
        "SENTINEL SET mymaster quorum x",
        "SENTINEL SET mymaster QUORUM 1",
        "SENTINEL SET mymaster whatever 1",
        "SENTINEL SET mymaster down-after-milliseconds -1",
        "SENTINEL SET mymaster parallel-syncs 2 failover-timeout x",
        "SENTINEL SET mymaster parallel-syncs 1 failover-timeout 180000",
        "SENTINEL SET mymaster notification-script /bin/true",
        "SENTINEL SET mymaster client-reconfig-script /bin/true",
        "SENTINEL SET mymaster auth-pass secret",
        "SENTINEL SET mymaster auth-user me",
        "SENTINEL SET mymaster rename-command CONFIG",
        "SENTINEL SET mymaster rename-command CONFIG GUESSME",
        "SENTINEL SET mymaster master-reboot-down-after-period 0");
    real.call("SENTINEL", "SET", NAME, "auth-pass", "", "auth-user", "");
    real.call("SENTINEL", "SET", NAME, "rename-command", "CONFIG", "CONFIG");
  }

  @Test
  void config() throws IOException {
    compareAll(
        "SENTINEL CONFIG GET announce-ip",
        "SENTINEL CONFIG GET announce-port",
        "SENTINEL CONFIG GET nosuch",
        "SENTINEL CONFIG",
        "SENTINEL CONFIG SET nosuch 1",
        "SENTINEL CONFIG SET announce-port x",
        "SENTINEL CONFIG SET resolve-hostnames perhaps",
        "SENTINEL CONFIG SET resolve-hostnames yes",
        "SENTINEL CONFIG GET resolve-hostnames",
        "SENTINEL CONFIG SET resolve-hostnames no");
  }

  @Test
  void facts_haveTheSameNamesInTheSameOrder() throws IOException {
    Map<String, String> realMasterFacts = facts(real.call("SENTINEL", "MASTER", NAME));
    Map<String, String> ourMasterFacts = facts(ours.call("SENTINEL", "MASTER", NAME));
    assertThat(ourMasterFacts.keySet()).containsExactlyElementsOf(realMasterFacts.keySet());
    for (String same :
        List.of(
            "name",
            "ip",
            "flags",
            "role-reported",
            "down-after-milliseconds",
            "num-slaves",
            "num-other-sentinels",
            "quorum",
            "failover-timeout",
            "parallel-syncs",
            "config-epoch",
            "link-pending-commands",
            "link-refcount")) {
      assertThat(ourMasterFacts.get(same)).as(same).isEqualTo(realMasterFacts.get(same));
    }
    Map<String, String> realFacts =
        facts(real.call("SENTINEL", "REPLICAS", NAME).elements().get(0));
    Map<String, String> ourFacts = facts(ours.call("SENTINEL", "REPLICAS", NAME).elements().get(0));
    assertThat(ourFacts.keySet()).containsExactlyElementsOf(realFacts.keySet());
    for (String same :
        List.of(
            "flags", "master-link-status", "master-host", "slave-priority", "replica-announced")) {
      assertThat(ourFacts.get(same)).as(same).isEqualTo(realFacts.get(same));
    }
    assertThat(ours.call("SENTINEL", "MASTERS").elements().get(0).elements())
        .hasSameSizeAs(ours.call("SENTINEL", "MASTER", NAME).elements());
  }

  private static Map<String, String> facts(RespReply reply) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (int i = 0; i < reply.elements().size(); i += 2) {
      facts.put(reply.elements().get(i).payload(), reply.elements().get(i + 1).payload());
    }
    return facts;
  }

  @Test
  void hello_hasTheSameShape() throws IOException {
    try (RespSocket realOther = new RespSocket(realSentinel.port());
        RespSocket ourOther = new RespSocket(sentinel.sentinel(0).port())) {
      RespReply expected = realOther.call("HELLO", "3");
      RespReply reply = ourOther.call("HELLO", "3");
      assertThat(reply.shape()).hasToString(expected.shape().toString());
      assertThat(facts(reply).get("mode")).isEqualTo("sentinel");
      assertThat(facts(reply).keySet()).containsExactlyElementsOf(facts(expected).keySet());
      assertThat(ourOther.call("SENTINEL", "MASTER", NAME).type()).isEqualTo('%');
      assertThat(realOther.call("SENTINEL", "MASTER", NAME).type()).isEqualTo('%');
    }
  }

  @Test
  void info_hasTheSameSections() throws IOException {
    for (String section : List.of("sentinel", "nosuch", "keyspace")) {
      assertThat(lines(ours("INFO", section))).isEqualTo(lines(real("INFO", section)));
    }
    assertThat(sections(ours.call("INFO"))).isEqualTo(sections(real.call("INFO")));
    assertThat(ours.call("INFO", "server").payload()).contains("redis_mode:sentinel\r\n");
  }

  private static List<String> lines(String info) {
    return List.of(info.split("\\\\r\\\\n"));
  }

  private static List<String> sections(RespReply info) {
    return info.payload().lines().filter(line -> line.startsWith("#")).toList();
  }

  @Test
  void commandList_hasTheCommandsOfASentinel() throws IOException {
    assertThat(names(ours.call("COMMAND", "LIST")))
        .filteredOn(name -> !name.contains("|") && !name.equals("quit")) // listed since 7.2
        .containsExactlyInAnyOrderElementsOf(
            names(real.call("COMMAND", "LIST")).stream()
                .filter(name -> !name.contains("|"))
                .toList());
    assertThat(names(real.call("COMMAND", "LIST", "FILTERBY", "PATTERN", "sentinel|*")))
        .containsAll(names(ours.call("COMMAND", "LIST", "FILTERBY", "PATTERN", "sentinel|*")));
  }

  private static List<String> names(RespReply list) {
    return list.elements().stream().map(RespReply::payload).toList();
  }
}
