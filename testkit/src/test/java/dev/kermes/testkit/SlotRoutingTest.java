package dev.kermes.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.testing.RespReply;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node that serves a command, and the errors of the others, byte for byte. */
@Timeout(60)
class SlotRoutingTest {

  private KermesCluster cluster;
  private RespSocket first;
  private RespSocket second;

  @BeforeEach
  void start() throws IOException {
    cluster = KermesCluster.start(2, 0);
    first = new RespSocket(cluster.node(0).port()); // slots 0 to 8191
    second = new RespSocket(cluster.node(1).port());
  }

  @AfterEach
  void stop() throws IOException {
    first.close();
    second.close();
    cluster.close();
  }

  private static String call(RespSocket socket, String command) throws IOException {
    return socket.call(command.split(" ")).toString();
  }

  private String at(int node) {
    return "127.0.0.1:" + cluster.node(node).port();
  }

  private void open(int slot) throws IOException {
    String from = cluster.node(0).id();
    String to = cluster.node(1).id();
    assertThat(call(second, "CLUSTER SETSLOT " + slot + " IMPORTING " + from)).isEqualTo("+OK");
    assertThat(call(first, "CLUSTER SETSLOT " + slot + " MIGRATING " + to)).isEqualTo("+OK");
  }

  @Test
  void keyOfAnotherNode_isMoved() throws IOException {
    assertThat(call(first, "SET foo 1")).isEqualTo("-MOVED 12182 " + at(1));
    assertThat(call(second, "SET foo 1")).isEqualTo("+OK");
    assertThat(call(first, "SET {b}foo 1")).isEqualTo("+OK");
    assertThat(call(second, "MGET {b}foo b")).isEqualTo("-MOVED 3300 " + at(0));
    assertThat(call(first, "EVAL return(1) 1 foo")).isEqualTo("-MOVED 12182 " + at(1));
    assertThat(call(first, "XREAD STREAMS foo 0")).isEqualTo("-MOVED 12182 " + at(1));
    assertThat(call(first, "SPUBLISH foo m")).isEqualTo("-MOVED 12182 " + at(1));
    assertThat(call(first, "WATCH foo")).isEqualTo("-MOVED 12182 " + at(1));
  }

  @Test
  void commandWithoutKeys_runsEverywhere() throws IOException {
    assertThat(call(first, "DBSIZE")).isEqualTo(":0");
    assertThat(call(second, "EVAL return(1) 0")).isEqualTo(":1");
    assertThat(call(second, "FLUSHALL")).isEqualTo("+OK");
  }

  @Test
  void keysOfTwoSlots_crossSlots() throws IOException {
    String error = "-CROSSSLOT Keys in request don't hash to the same slot";
    assertThat(call(first, "MSET b 1 c 2")).isEqualTo(error);
    assertThat(call(first, "SORT b STORE c")).isEqualTo(error);
    assertThat(call(first, "SSUBSCRIBE b c")).isEqualTo(error);
    assertThat(call(first, "MSET b 1 {b}2 2")).isEqualTo("+OK");
  }

  @Test
  void slotWithoutAMaster_isDown() throws IOException {
    assertThat(call(second, "CLUSTER DELSLOTS 12182")).isEqualTo("+OK");
    assertThat(call(first, "GET foo")).isEqualTo("-CLUSTERDOWN Hash slot not served");
    assertThat(call(first, "GET b")).isEqualTo("-CLUSTERDOWN The cluster is down");
    call(first, "CONFIG SET cluster-allow-reads-when-down yes");
    assertThat(call(first, "GET b")).isEqualTo("$-1");
    assertThat(call(first, "SET b 1"))
        .isEqualTo("-CLUSTERDOWN The cluster is down and only accepts read commands");
    assertThat(call(first, "SPUBLISH b 1")).isEqualTo(":0");
    call(first, "CONFIG SET cluster-require-full-coverage no");
    assertThat(call(first, "SET b 1")).isEqualTo("+OK");
    assertThat(call(second, "CLUSTER ADDSLOTS 12182")).isEqualTo("+OK");
    assertThat(call(second, "GET foo")).isEqualTo("$-1");
  }

  // Slots that move

  @Test
  void movingSlot_servesTheKeysThatAreThere_andAsksForOthers() throws IOException {
    call(first, "SET b 1");
    open(3300);
    assertThat(call(first, "GET b")).isEqualTo("$1:1");
    assertThat(call(first, "GET {b}new")).isEqualTo("-ASK 3300 " + at(1));
    assertThat(call(first, "MGET b {b}new"))
        .isEqualTo("-TRYAGAIN Multiple keys request during rehashing of slot");
    assertThat(call(second, "SET {b}new 2")).isEqualTo("-MOVED 3300 " + at(0));
    assertThat(call(second, "ASKING")).isEqualTo("+OK");
    assertThat(call(second, "SET {b}new 2")).isEqualTo("+OK");
    assertThat(call(second, "GET {b}new")).isEqualTo("-MOVED 3300 " + at(0));
    call(second, "ASKING");
    assertThat(call(second, "MGET {b}new b"))
        .isEqualTo("-TRYAGAIN Multiple keys request during rehashing of slot");
  }

  @Test
  void asking_lastsForATransaction() throws IOException {
    open(3300);
    call(second, "ASKING");
    assertThat(call(second, "MULTI")).isEqualTo("+OK");
    assertThat(call(second, "SET b 1")).isEqualTo("+QUEUED");
    assertThat(call(second, "INCR b")).isEqualTo("+QUEUED");
    assertThat(call(second, "EXEC")).isEqualTo("*2[+OK, :2]");
    assertThat(call(second, "GET b")).isEqualTo("-MOVED 3300 " + at(0));
  }

  @Test
  void migrate_movesTheKeys_andTheTargetBecomesTheMaster() throws IOException {
    call(first, "SET b 1");
    open(3300);
    String target = "127.0.0.1 " + cluster.node(1).port();
    assertThat(first.call(("MIGRATE " + target + " b 0 5000").split(" "))).hasToString("+OK");
    assertThat(call(first, "GET b")).isEqualTo("-ASK 3300 " + at(1));
    assertThat(call(second, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id())).isEqualTo("+OK");
    assertThat(call(first, "GET b")).isEqualTo("-MOVED 3300 " + at(1));
    assertThat(call(second, "GET b")).isEqualTo("$1:1");
    assertThat(call(first, "CLUSTER NODES")).doesNotContain("[3300");
  }

  @Test
  void slotThatIsTaken_losesItsKeys() throws IOException {
    call(first, "SET b 1");
    assertThat(call(first, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id()))
        .startsWith("-ERR Can't assign hashslot 3300 to a different node while I still hold keys");
    assertThat(call(second, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id())).isEqualTo("+OK");
    first.await("0", "DBSIZE");
    assertThat(call(second, "GET b")).isEqualTo("$-1");
  }

  @Test
  void stable_closesTheSlot() throws IOException {
    open(3300);
    String nodes = call(first, "CLUSTER NODES");
    assertThat(nodes).contains(" [3300->-" + cluster.node(1).id() + "]");
    assertThat(call(second, "CLUSTER NODES")).contains(" [3300-<-" + cluster.node(0).id() + "]");
    assertThat(call(first, "CLUSTER SETSLOT 3300 STABLE")).isEqualTo("+OK");
    assertThat(call(first, "GET b")).isEqualTo("$-1");
  }

  // Transactions and scripts

  @Test
  void transaction_failsWithTheFirstMovedCommand() throws IOException {
    call(first, "MULTI");
    assertThat(call(first, "SET b 1")).isEqualTo("+QUEUED");
    assertThat(call(first, "SET foo 1")).isEqualTo("-MOVED 12182 " + at(1));
    assertThat(call(first, "EXEC"))
        .isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
    assertThat(call(first, "GET b")).isEqualTo("$-1");
  }

  @Test
  void transaction_ofTwoSlots_crossesSlotsAtExec() throws IOException {
    call(first, "MULTI");
    assertThat(call(first, "SET b 1")).isEqualTo("+QUEUED");
    assertThat(call(first, "SET c 1")).isEqualTo("+QUEUED");
    assertThat(call(first, "EXEC"))
        .isEqualTo("-CROSSSLOT Keys in request don't hash to the same slot");
    assertThat(call(first, "EXEC")).isEqualTo("-ERR EXEC without MULTI");
  }

  @Test
  void transaction_whoseSlotMoves_isRedirectedAtExec() throws IOException {
    call(first, "MULTI");
    call(first, "SET b 1");
    call(second, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id());
    assertThat(call(first, "EXEC")).isEqualTo("-MOVED 3300 " + at(1));
    assertThat(call(first, "EXEC")).isEqualTo("-ERR EXEC without MULTI");
  }

  private RespReply eval(String script, String... keys) throws IOException {
    String[] words = new String[3 + keys.length];
    words[0] = "EVAL";
    words[1] = script;
    words[2] = Integer.toString(keys.length);
    System.arraycopy(keys, 0, words, 3, keys.length);
    return first.call(words);
  }

  @Test
  void script_mayUseKeysOfThisNodeOnly() throws IOException {
    assertThat(eval("return redis.call('set', 'foo', 1)").text())
        .startsWith("ERR Script attempted to access a non local key in a cluster node script: ");
    assertThat(eval("return redis.call('set', 'c', 1)", "b")).hasToString("+OK");
    assertThat(eval("return redis.call('mget', 'b', 'c')").text())
        .startsWith(
            "ERR Command 'mget' in script attempted to access keys that don't hash to the same slot");
  }

  @Test
  void script_withShebang_mayUseOneSlotOnly() throws IOException {
    assertThat(eval("#!lua\nreturn redis.call('set', 'c', 1)", "b").text())
        .startsWith(
            "ERR Script attempted to access keys that do not hash to the same slot script:");
    assertThat(eval("#!lua flags=allow-cross-slot-keys\nreturn redis.call('set', 'c', 1)", "b"))
        .hasToString("+OK");
    assertThat(eval("#!lua flags=no-cluster\nreturn 1"))
        .hasToString("-ERR Can not run script on cluster, 'no-cluster' flag is set.");
  }

  // Clients that wait

  @Test
  void blockedClient_isRedirectedWhenItsSlotMoves() throws IOException {
    try (RespSocket waiting = new RespSocket(cluster.node(0).port())) {
      waiting.send("BLPOP", "b", "0");
      first.awaitInfo("blocked_clients:1");
      call(second, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id());
      assertThat(waiting.read()).hasToString("-MOVED 3300 " + at(1));
      waiting.send("BLPOP", "c", "0");
      first.awaitInfo("blocked_clients:1");
      call(second, "CLUSTER DELSLOTS 12182");
      assertThat(waiting.read()).hasToString("-CLUSTERDOWN The cluster is down");
    }
  }

  @Test
  void shardChannel_endsWhenItsSlotMoves() throws IOException {
    try (RespSocket subscriber = new RespSocket(cluster.node(0).port())) {
      subscriber.call("HELLO", "3");
      subscriber.call("SSUBSCRIBE", "{b}x");
      subscriber.call("SSUBSCRIBE", "c");
      call(second, "CLUSTER SETSLOT 3300 NODE " + cluster.node(1).id());
      assertThat(subscriber.read()).hasToString(">3[$12:sunsubscribe, $4:{b}x, :1]");
      assertThat(call(first, "SPUBLISH c m")).isEqualTo(":1");
      assertThat(subscriber.read()).hasToString(">3[$8:smessage, $1:c, $1:m]");
    }
  }

  @Test
  void publish_reachesSubscribersOfAllNodes() throws IOException {
    try (RespSocket subscriber = new RespSocket(cluster.node(1).port())) {
      subscriber.call("SUBSCRIBE", "news");
      call(first, "PUBLISH news m");
      assertThat(subscriber.read()).hasToString("*3[$7:message, $4:news, $1:m]");
    }
  }

  // Databases

  @Test
  void otherDatabases_areRefused() throws IOException {
    assertThat(call(first, "SELECT 0")).isEqualTo("+OK");
    assertThat(call(first, "SELECT 1")).isEqualTo("-ERR SELECT is not allowed in cluster mode");
    assertThat(call(first, "MOVE b 1")).isEqualTo("-ERR MOVE is not allowed in cluster mode");
    assertThat(call(first, "SWAPDB 0 1")).isEqualTo("-ERR SWAPDB is not allowed in cluster mode");
    assertThat(call(first, "COPY b {b}2 DB 1")).isEqualTo("-ERR DB index is out of range");
    assertThat(call(first, "REPLICAOF NO ONE"))
        .isEqualTo("-ERR REPLICAOF not allowed in cluster mode.");
    assertThat(call(first, "FAILOVER")).startsWith("-ERR FAILOVER not allowed in cluster mode.");
  }
}
