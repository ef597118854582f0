package dev.kermes.server.command.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Commands about whole databases, and about the server, by example. */
final class DatabasesTest extends FamilyTest {

  @Test
  void dbsize_countsTheKeysOfOneDatabase() throws IOException {
    call("MSET a 1 b 2");
    assertThat(call("DBSIZE")).isEqualTo(":2");
    call("SELECT 1");
    assertThat(call("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void flushdb_emptiesOneDatabase_flushallEmptiesEach() throws IOException {
    call("SET a 1");
    call("SELECT 1");
    call("SET b 1");
    assertThat(call("FLUSHDB")).isEqualTo("+OK");
    assertThat(call("DBSIZE")).isEqualTo(":0");
    call("SELECT 0");
    assertThat(call("DBSIZE")).isEqualTo(":1");
    call("SELECT 1");
    assertThat(call("FLUSHALL SYNC")).isEqualTo("+OK");
    call("SELECT 0");
    assertThat(call("DBSIZE")).isEqualTo(":0");
    assertThat(call("FLUSHDB ASYNC")).isEqualTo("+OK");
    assertThat(call("FLUSHDB NOW")).isEqualTo("-ERR syntax error");
  }

  @Test
  void swapdb_exchangesTwoDatabases() throws IOException {
    call("SET k 0");
    assertThat(call("SWAPDB 0 1")).isEqualTo("+OK");
    assertThat(call("EXISTS k")).isEqualTo(":0");
    call("SELECT 1");
    assertThat(call("GET k")).isEqualTo("$1:0");
    assertThat(call("SWAPDB 1 1")).isEqualTo("+OK");
    assertThat(call("SWAPDB 0 99")).isEqualTo("-ERR DB index is out of range");
    assertThat(call("SWAPDB 0 x")).isEqualTo("-ERR invalid second DB index");
    assertThat(call("SWAPDB x 0")).isEqualTo("-ERR invalid first DB index");
  }

  @Test
  void swapdb_isSeenByTransactionsThatWatch() throws IOException {
    call("SET k 0");
    call("WATCH k");
    call("SWAPDB 0 1");
    call("MULTI");
    call("PING");
    assertThat(call("EXEC")).isEqualTo("*-1");
  }

  @Test
  void time_isInSecondsAndMicroseconds() throws IOException {
    assertThat(call("TIME")).matches("\\*2\\[\\$10:[0-9]{10}, \\$[1-6]:[0-9]{1,6}\\]");
    assertThat(call("TIME x")).isEqualTo("-ERR wrong number of arguments for 'time' command");
  }

  @Test
  void serverWithoutReplicas_isAMaster() throws IOException {
    assertThat(call("ROLE")).startsWith("*3[$6:master, :").endsWith(", *0]");
    assertThat(call("REPLICAOF NO ONE")).isEqualTo("+OK");
    assertThat(call("WAIT 0 1")).isEqualTo(":0");
    assertThat(call("WAIT 1 -1")).isEqualTo("-ERR timeout is negative");
    assertThat(call("FAILOVER")).isEqualTo("-ERR FAILOVER requires connected replicas.");
    assertThat(call("FAILOVER ABORT")).isEqualTo("-ERR No failover in progress.");
  }

  @Test
  void serverOutsideACluster_saysSo() throws IOException {
    assertThat(call("CLUSTER INFO")).isEqualTo("-ERR This instance has cluster support disabled");
    assertThat(call("READONLY")).isEqualTo("-ERR This instance has cluster support disabled");
  }

  @Test
  void shutdown_withAWrongOption_doesNothing() throws IOException {
    assertThat(call("SHUTDOWN NOW NOSUCH")).isEqualTo("-ERR syntax error");
    assertThat(call("SHUTDOWN ABORT")).isEqualTo("-ERR No shutdown in progress.");
  }
}
