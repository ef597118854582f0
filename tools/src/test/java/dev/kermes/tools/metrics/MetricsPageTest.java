package dev.kermes.tools.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.BlockingCommands;
import dev.kermes.client.RedisClient;
import dev.kermes.server.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page, of servers with data, and of texts that no server writes. */
final class MetricsPageTest {

  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-zA-Z_][a-zA-Z0-9_]*) (gauge|counter)");

  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_][a-zA-Z0-9_]*)(\\{[a-z_]+=\"(?:[^\"\\\\]|\\\\.)*\"(?:,[a-z_]+=\"(?:[^\"\\\\]|\\\\.)*\")*})?"
              + " -?\\d+(\\.\\d+)?(E-?\\d+)?");

  /** Metrics that the common dashboards and alerts for Redis use. */
  private static final List<String> OF_DASHBOARDS =
      List.of(
          "redis_up",
          "redis_uptime_in_seconds",
          "redis_connected_clients",
          "redis_blocked_clients",
          "redis_memory_used_bytes",
          "redis_memory_used_rss_bytes",
          "redis_memory_max_bytes",
          "redis_mem_fragmentation_ratio",
          "redis_commands_processed_total",
          "redis_keyspace_hits_total",
          "redis_keyspace_misses_total",
          "redis_net_input_bytes_total",
          "redis_net_output_bytes_total",
          "redis_expired_keys_total",
          "redis_evicted_keys_total",
          "redis_rejected_connections_total",
          "redis_cpu_sys_seconds_total",
          "redis_cpu_user_seconds_total",
          "redis_connected_slaves",
          "redis_replication_backlog_bytes",
          "redis_rdb_last_save_timestamp_seconds",
          "redis_rdb_last_bgsave_status",
          "redis_rdb_changes_since_last_save",
          "redis_loading_dump_file");

  @Test
  void page_ofAServerWithData_hasTheNamesOfDashboards() {
    try (RedisServer server = RedisServer.start();
        RedisClient client = RedisClient.open(server.url())) {
      BlockingCommands<String, String> commands = client.blocking();
      commands.set("a", "1");
      commands.get("a");
      commands.get("none");
      commands.pexpire("a", Duration.ofHours(1));
      String page = MetricsPage.of(server.info("everything"));
      assertWellFormed(page);
      for (String name : OF_DASHBOARDS) assertThat(page).contains("\n" + name + " ");
      assertThat(page)
          .contains(
              "redis_keyspace_hits_total 1\n",
              "redis_keyspace_misses_total 1\n",
              "redis_db_keys{db=\"db0\"} 1\n",
              "redis_db_keys_expiring{db=\"db0\"} 1\n",
              "redis_commands_total{cmd=\"get\"} 2\n",
              "redis_commands_failed_calls_total{cmd=\"get\"} 0\n",
              "redis_instance_info{role=\"master\",redis_version=\"" + RedisServer.REDIS_VERSION)
          .containsPattern("redis_commands_duration_seconds_total\\{cmd=\"get\"} \\d")
          .containsPattern("redis_latency_percentiles_usec\\{cmd=\"get\",quantile=\"0.99\"} \\d");
    }
  }

  @Test
  void page_ofAMasterAndItsReplica_hasTheLink() {
    try (RedisServer master = RedisServer.start();
        RedisServer replica =
            RedisServer.builder()
                .port(0)
                .option("replicaof", "127.0.0.1 " + master.port())
                .start();
        RedisClient client = RedisClient.open(master.url())) {
      client.blocking().set("a", "1");
      assertThat(client.blocking().wait(1, Duration.ofSeconds(10))).isEqualTo(1);
      String ofMaster = MetricsPage.of(master.info("all"));
      String ofReplica = MetricsPage.of(replica.info("all"));
      assertWellFormed(ofMaster);
      assertWellFormed(ofReplica);
      String port = String.valueOf(replica.port());
      assertThat(ofMaster)
          .contains("redis_connected_slaves 1\n")
          .containsPattern(
              "redis_connected_slave_lag_seconds\\{slave_ip=\"127.0.0.1\",slave_port=\""
                  + port
                  + "\",slave_state=\"online\"} \\d");
      assertThat(ofReplica)
          .contains("redis_master_link_up{master_host=\"127.0.0.1\",master_port=\"" + master.port())
          .contains("redis_slave_info{");
    }
  }

  @Test
  void page_statusesAndPercentages_areNumbers() {
    assertThat(MetricsPage.of("rdb_last_bgsave_status:err\r\nused_memory_peak_perc:12.50%\r\n"))
        .contains("redis_rdb_last_bgsave_status 0\n", "redis_used_memory_peak_perc 12.50\n");
  }

  @Test
  void page_ofOtherTexts_isWellFormed() {
    assertWellFormed(MetricsPage.of(""));
    String odd =
        String.join(
            "\r\n",
            "os:a \"b\" \\c",
            ":1",
            "nocolon",
            "# x:1",
            "db0:",
            "cmdstat_x:calls",
            "cmdstat_y:usec=z",
            "slave0:,=,",
            "errorstat_Y\"Z:count=3",
            "latency_percentiles_usec_get:p50=1.0,p=2,=,pp=x");
    String page = MetricsPage.of(odd);
    assertWellFormed(page);
    assertThat(page).contains("os=\"a \\\"b\\\" \\\\c\"", "redis_errors_total{err=\"Y\\\"Z\"} 3\n");
  }

  /** Each line is a sample of the metric whose type was named last, and no type is named twice. */
  private static void assertWellFormed(String page) {
    assertThat(page).endsWith("\n");
    Set<String> seen = new HashSet<>();
    String current = "";
    for (String line : page.split("\n")) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        current = type.group(1);
        assertThat(seen.add(current)).as(line).isTrue();
      } else {
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(sample.group(1)).isEqualTo(current);
      }
    }
  }
}
