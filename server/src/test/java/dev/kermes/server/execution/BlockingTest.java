package dev.kermes.server.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.RedisServer;
import dev.kermes.server.testing.ServerTest;
import dev.kermes.server.testing.TestServers;
import dev.kermes.server.time.Clock;
import dev.kermes.testing.RespSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that wait for keys: which ones a value wakes, in which order, and what ends a wait. */
final class BlockingTest extends ServerTest {

  private RespSocket control;

  BlockingTest() {
    super(3);
  }

  @BeforeEach
  void connect() throws IOException {
    control = start();
  }

  @Test
  void push_servesClientsInTheirOrder() throws IOException {
    RespSocket first = waiting("BLPOP", "l", "0");
    RespSocket second = waiting("BRPOP", "l", "0");
    RespSocket third = waiting("BLMPOP", "0", "1", "l", "LEFT", "COUNT", "9");
    assertThat(control.call("RPUSH", "l", "a", "b", "c", "d")).hasToString(":4");
    assertThat(first.read()).hasToString("*2[$1:l, $1:a]");
    assertThat(second.read()).hasToString("*2[$1:l, $1:d]");
    assertThat(third.read()).hasToString("*2[$1:l, *2[$1:b, $1:c]]");
    assertThat(control.call("EXISTS", "l")).hasToString(":0");
  }

  @Test
  void timeout_passes_repliesNil() throws IOException {
    RespSocket list = waiting("BLPOP", "l", "5");
    RespSocket move = waiting("BLMOVE", "l", "m", "LEFT", "LEFT", "5.5");
    RespSocket forever = waiting("BZPOPMIN", "z", "0");
    clock.advance(Duration.ofMillis(4999));
    assertThat(blockedClients()).isEqualTo(3);
    clock.advance(Duration.ofMillis(1));
    assertThat(list.read()).hasToString("*-1");
    assertThat(blockedClients()).isEqualTo(2);
    clock.advance(Duration.ofMillis(500));
    assertThat(move.read()).hasToString("*-1");
    clock.advance(Duration.ofDays(400));
    assertThat(blockedClients()).isEqualTo(1);
    control.call("ZADD", "z", "1", "a");
    assertThat(forever.read()).hasToString("*3[$1:z, $1:a, $1:1]");
  }

  @Test
  void key_expiredWhenTheTransactionEnds_wakesNobody() throws IOException {
    AtomicLong millis = new AtomicLong();
    Clock ticking =
        new Clock() {
          @Override
          public long millis() {
            return millis.incrementAndGet(); // each reading is a millisecond later
          }

          @Override
          public long nanos() {
            return 0;
          }
        };
    try (RedisServer ticks = TestServers.with().clock(ticking).start();
        RespSocket waits = new RespSocket(ticks.port());
        RespSocket other = new RespSocket(ticks.port())) {
      waits.send("BLPOP", "l", "0");
      other.awaitInfo("blocked_clients:1\r\n");
      other.call("MULTI");
      other.call("RPUSH", "l", "a");
      other.call("PEXPIRE", "l", "1");
      other.call("EXEC");
      other.call("RPUSH", "l", "b");
      assertThat(waits.read()).hasToString("*2[$1:l, $1:b]");
    }
  }

  @Test
  void infoClients_countsKeysOfThoseWhoWantToKnowOfDeletion() throws IOException {
    RespSocket list = waiting("BLPOP", "s", "0");
    control.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
    RespSocket stream = waiting("XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">");
    assertThat(control.call("INFO", "clients").text())
        .contains("total_blocking_keys:1\r\n", "total_blocking_keys_on_nokey:1\r\n");
    control.call("DEL", "s");
    assertThat(stream.read().toString()).startsWith("-NOGROUP");
    assertThat(control.call("INFO", "clients").text())
        .contains("total_blocking_keys:1\r\n", "total_blocking_keys_on_nokey:0\r\n");
    list.close();
  }

  @Test
  void blmove_isOneChange() throws IOException {
    RespSocket move = waiting("BLMOVE", "l", "m", "LEFT", "LEFT", "0");
    control.call("RPUSH", "l", "a");
    assertThat(move.read()).hasToString("$1:a");
    assertThat(control.call("INFO", "persistence").text())
        .contains("rdb_changes_since_last_save:2\r\n");
  }

  @Test
  void clientUnblock_endsWaitAsToldTo() throws IOException {
    RespSocket first = open();
    String firstId = first.call("CLIENT", "ID").text();
    first.send("BLPOP", "l", "0");
    awaitBlockedClients(1);
    assertThat(control.call("CLIENT", "UNBLOCK", firstId)).hasToString(":1");
    assertThat(first.read()).hasToString("*-1");
    first.send("BLPOP", "l", "0");
    awaitBlockedClients(1);
    assertThat(control.call("CLIENT", "UNBLOCK", firstId, "ERROR")).hasToString(":1");
    assertThat(first.read()).hasToString("-UNBLOCKED client unblocked via CLIENT UNBLOCK");
    assertThat(control.call("CLIENT", "UNBLOCK", firstId)).hasToString(":0");
    assertThat(first.call("PING")).hasToString("+PONG");
  }

  @Test
  void disconnect_whileWaiting_leavesTheValueToOthers() throws IOException {
    RespSocket gone = waiting("BLPOP", "l", "0");
    RespSocket stays = waiting("BLPOP", "l", "0");
    gone.close();
    awaitBlockedClients(1);
    control.call("RPUSH", "l", "a", "b");
    assertThat(stays.read()).hasToString("*2[$1:l, $1:a]");
    assertThat(control.call("LRANGE", "l", "0", "-1")).hasToString("*1[$1:b]");
  }

  @Test
  void commandsBehindBlockedOne_waitTheirTurn() throws IOException {
    RespSocket socket = open();
    socket.sendRaw("SET k 1\r\nBLPOP l 0\r\nINCR k\r\nBLPOP l 0\r\nINCR k\r\n");
    assertThat(socket.read()).hasToString("+OK");
    awaitBlockedClients(1);
    assertThat(control.call("GET", "k")).hasToString("$1:1");
    socket.sendRaw("INCR k\r\n");
    control.call("RPUSH", "l", "a");
    assertThat(socket.read()).hasToString("*2[$1:l, $1:a]");
    assertThat(socket.read()).hasToString(":2");
    awaitBlockedClients(1);
    control.call("RPUSH", "l", "b");
    assertThat(socket.read()).hasToString("*2[$1:l, $1:b]");
    assertThat(socket.read()).hasToString(":3");
    assertThat(socket.read()).hasToString(":4");
  }

  @Test
  void keyThatArrivesByOtherWays_wakes() throws IOException {
    List<List<List<String>>> ways =
        List.of(
            List.of(List.of("RPUSH", "other", "a"), List.of("RENAME", "other", "l")),
            List.of(List.of("RPUSH", "other", "a"), List.of("COPY", "other", "l")),
            List.of(
                List.of("SELECT", "1"),
                List.of("RPUSH", "l", "a"),
                List.of("SELECT", "0"),
                List.of("SWAPDB", "0", "1")),
            List.of(
                List.of("SELECT", "1"),
                List.of("RPUSH", "l", "a"),
                List.of("MOVE", "l", "0"),
                List.of("SELECT", "0")),
            List.of(List.of("SADD", "set", "a"), List.of("SORT", "set", "ALPHA", "STORE", "l")),
            List.of(List.of("MULTI"), List.of("RPUSH", "l", "a"), List.of("EXEC")));
    for (List<List<String>> way : ways) {
      control.call("FLUSHALL");
      RespSocket socket = waiting("BLPOP", "none", "l", "0");
      for (List<String> command : way) {
        assertThat(control.call(command).type()).as("%s", command).isNotEqualTo('-');
      }
      assertThat(socket.read()).as("%s", way).hasToString("*2[$1:l, $1:a]");
    }
  }

  @Test
  void valueOfAnotherType_wakesNobody() throws IOException {
    RespSocket list = waiting("BLPOP", "k", "0");
    RespSocket set = waiting("BZPOPMIN", "k", "0");
    control.call("SET", "k", "v");
    control.call("DEL", "k");
    assertThat(blockedClients()).isEqualTo(2);
    control.call("ZADD", "k", "1", "a");
    assertThat(set.read()).hasToString("*3[$1:k, $1:a, $1:1]");
    assertThat(blockedClients()).isEqualTo(1);
    control.call("RPUSH", "k", "b");
    assertThat(list.read()).hasToString("*2[$1:k, $1:b]");
  }

  @Test
  void transactionThatPushesAndPops_wakesNobody() throws IOException {
    RespSocket socket = waiting("BLPOP", "l", "0");
    control.sendRaw("MULTI\r\nRPUSH l a\r\nLPOP l\r\nEXEC\r\n");
    for (int i = 0; i < 3; i++) control.read();
    assertThat(control.read()).hasToString("*2[:1, $1:a]");
    assertThat(blockedClients()).isEqualTo(1);
    control.call("RPUSH", "l", "b");
    assertThat(socket.read()).hasToString("*2[$1:l, $1:b]");
  }

  @Test
  void chainOfMoves_isServedToItsEnd() throws IOException {
    RespSocket last = waiting("BLPOP", "c", "0");
    RespSocket second = waiting("BLMOVE", "b", "c", "LEFT", "RIGHT", "0");
    RespSocket first = waiting("BRPOPLPUSH", "a", "b", "0");
    control.call("RPUSH", "a", "x");
    assertThat(first.read()).hasToString("$1:x");
    assertThat(second.read()).hasToString("$1:x");
    assertThat(last.read()).hasToString("*2[$1:c, $1:x]");
    assertThat(control.call("DBSIZE")).hasToString(":0");
  }

  @Test
  void moveIntoWrongType_failsWhenServed() throws IOException {
    control.call("SET", "s", "v");
    RespSocket socket = waiting("BLMOVE", "l", "s", "LEFT", "LEFT", "0");
    control.call("RPUSH", "l", "a");
    assertThat(socket.read())
        .hasToString("-WRONGTYPE Operation against a key holding the wrong kind of value");
    assertThat(control.call("LLEN", "l")).hasToString(":1");
  }

  @Test
  void waitInResp3_repliesInResp3() throws IOException {
    RespSocket socket = open();
    socket.call("HELLO", "3");
    socket.send("BZPOPMAX", "z", "1");
    awaitBlockedClients(1);
    control.call("ZADD", "z", "2.5", "a");
    assertThat(socket.read()).hasToString("*3[$1:z, $1:a, ,2.5]");
    socket.send("BLPOP", "l", "1");
    awaitBlockedClients(1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(socket.read()).hasToString("_");
  }

  @Test
  void sameClientReplies_comeBeforeThoseItServes() throws IOException {
    RespSocket socket = waiting("BLPOP", "l", "0");
    control.sendRaw("RPUSH l a\r\nLLEN l\r\n");
    assertThat(control.read()).hasToString(":1");
    assertThat(control.read()).hasToString(":0");
    assertThat(socket.read()).hasToString("*2[$1:l, $1:a]");
  }
}
