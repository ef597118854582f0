package dev.kermes.server.command.info;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** INFO, SLOWLOG, LATENCY and MEMORY by example. */
final class InfoTest extends FamilyTest {

  @AfterEach
  void restore() throws IOException {
    call("CONFIG SET slowlog-log-slower-than 10000");
    call("SLOWLOG RESET");
  }

  @Test
  void info_hasItsSections() throws IOException {
    assertThat(call("INFO"))
        .contains("# Server\\r\\n", "# Clients\\r\\n", "# Memory\\r\\n", "# Persistence\\r\\n")
        .contains("# Stats\\r\\n", "# Replication\\r\\n", "# CPU\\r\\n", "# Errorstats\\r\\n")
        .contains("# Cluster\\r\\n", "# Keyspace\\r\\n")
        .doesNotContain("# Commandstats", "# Latencystats");
    assertThat(call("INFO everything")).contains("# Commandstats\\r\\n", "# Latencystats\\r\\n");
  }

  @Test
  void info_ofSomeSections() throws IOException {
    call("SET k v EX 100");
    assertThat(call("INFO keyspace")).contains("# Keyspace\\r\\ndb0:keys=1,expires=1,avg_ttl=");
    assertThat(call("INFO CLIENTS keyspace"))
        .contains("connected_clients:1", "db0:keys=1")
        .doesNotContain("# Server");
    assertThat(call("INFO nosuch")).isEqualTo("$0:");
    call("HELLO 3");
    assertThat(call("INFO keyspace")).startsWith("=").contains(":txt:# Keyspace");
  }

  @Test
  void commandstats_countCalls() throws IOException {
    call("CONFIG RESETSTAT");
    call("GET k");
    call("LPUSH k x");
    call("GET k");
    assertThat(call("INFO commandstats"))
        .contains("cmdstat_get:calls=2,usec=")
        .contains("rejected_calls=0,failed_calls=1");
    assertThat(call("INFO errorstats")).contains("errorstat_WRONGTYPE:count=1");
  }

  @Test
  void slowlog_keepsCommandsThatTakeLong() throws IOException {
    call("CONFIG SET slowlog-log-slower-than 0");
    call("SET k v");
    call("CONFIG SET slowlog-log-slower-than 10000");
    assertThat(call("SLOWLOG LEN")).isNotEqualTo(":0");
    assertThat(call("SLOWLOG GET")).contains("*3[$3:SET, $1:k, $1:v], ");
    assertThat(call("SLOWLOG RESET")).isEqualTo("+OK");
    assertThat(call("SLOWLOG LEN")).isEqualTo(":0");
    assertThat(call("SLOWLOG GET -1")).isEqualTo("*0");
  }

  @Test
  void slowlogGet_takesACount() throws IOException {
    String error = "-ERR count should be greater than or equal to -1";
    assertThat(call("SLOWLOG GET 0")).isEqualTo("*0");
    assertThat(call("SLOWLOG GET -2")).isEqualTo(error);
    assertThat(call("SLOWLOG GET word")).isEqualTo(error);
  }

  @Test
  void latency_isNotWatchedAtFirst() throws IOException {
    assertThat(call("LATENCY LATEST")).isEqualTo("*0");
    assertThat(call("LATENCY HISTORY command")).isEqualTo("*0");
    assertThat(call("LATENCY RESET command")).isEqualTo(":0");
    assertThat(call("LATENCY HISTOGRAM nosuch")).isEqualTo("*0");
    assertThat(call("LATENCY NOSUCH"))
        .isEqualTo("-ERR unknown subcommand 'NOSUCH'. Try LATENCY HELP.");
  }

  @Test
  void latencyHistogram_countsCallsByTime() throws IOException {
    call("CONFIG RESETSTAT");
    call("GET k");
    call("GET k");
    assertThat(call("LATENCY HISTOGRAM get"))
        .startsWith("*2[$3:get, *4[$5:calls, :2, $14:histogram_usec, *");
  }

  @Test
  void memoryUsage_isThatOfAKey() throws IOException {
    call("SET k v");
    call("RPUSH list a b c");
    assertThat(call("MEMORY USAGE k")).matches(":[1-9][0-9]*");
    assertThat(call("MEMORY USAGE list SAMPLES 0")).matches(":[1-9][0-9]*");
    assertThat(call("MEMORY USAGE none")).isEqualTo("$-1");
    assertThat(call("MEMORY USAGE k SAMPLES -1")).isEqualTo("-ERR syntax error");
    assertThat(call("MEMORY USAGE k NOSUCH 1")).isEqualTo("-ERR syntax error");
  }

  @Test
  void memoryStats_areNamedNumbers() throws IOException {
    assertThat(call("MEMORY STATS")).contains("$14:peak.allocated, :", "$10:keys.count, :");
    assertThat(call("MEMORY PURGE")).isEqualTo("+OK");
  }
}
