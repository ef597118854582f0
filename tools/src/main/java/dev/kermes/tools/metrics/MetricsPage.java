package dev.kermes.tools.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates the text of INFO into metrics for Prometheus. The names are those of redis_exporter,
 * so that the dashboards and alerts made for it work; each other field that is a number becomes a
 * gauge of its own name.
 */
public final class MetricsPage {

  /** The media type of the page. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Fields that only rise, with their names as metrics. */
  private static final Map<String, String> COUNTERS =
      names(
          """
          total_connections_received connections_received_total
          total_commands_processed commands_processed_total
          rejected_connections rejected_connections_total
          total_net_input_bytes net_input_bytes_total
          total_net_output_bytes net_output_bytes_total
          total_net_repl_input_bytes net_repl_input_bytes_total
          total_net_repl_output_bytes net_repl_output_bytes_total
          total_reads_processed total_reads_processed
          total_writes_processed total_writes_processed
          total_error_replies total_error_replies
          expired_subkeys expired_subkeys_total
          expired_keys expired_keys_total
          evicted_keys evicted_keys_total
          evicted_clients evicted_clients_total
          keyspace_hits keyspace_hits_total
          keyspace_misses keyspace_misses_total
          acl_access_denied_auth acl_access_denied_auth_total
          acl_access_denied_cmd acl_access_denied_cmd_total
          acl_access_denied_key acl_access_denied_key_total
          acl_access_denied_channel acl_access_denied_channel_total
          used_cpu_sys cpu_sys_seconds_total
          used_cpu_user cpu_user_seconds_total
          used_cpu_sys_children cpu_sys_children_seconds_total
          used_cpu_user_children cpu_user_children_seconds_total
          """);

  /** Fields that rise and fall, where the metric has another name. */
  private static final Map<String, String> GAUGES =
      names(
          """
          allocator_active allocator_active_bytes
          allocator_allocated allocator_allocated_bytes
          allocator_resident allocator_resident_bytes
          aof_base_size aof_base_size_bytes
          aof_current_rewrite_time_sec aof_current_rewrite_duration_sec
          aof_current_size aof_current_size_bytes
          aof_last_cow_size aof_last_cow_size_bytes
          aof_last_rewrite_time_sec aof_last_rewrite_duration_sec
          client_recent_max_input_buffer client_recent_max_input_buffer_bytes
          client_recent_max_output_buffer client_recent_max_output_buffer_bytes
          cluster_stats_messages_received cluster_messages_received_total
          cluster_stats_messages_sent cluster_messages_sent_total
          expired_stale_perc expired_stale_percentage
          expired_time_cap_reached_count expired_time_cap_reached_total
          loading loading_dump_file
          maxmemory memory_max_bytes
          mem_not_counted_for_evict mem_not_counted_for_eviction_bytes
          migrate_cached_sockets migrate_cached_sockets_total
          rdb_current_bgsave_time_sec rdb_current_bgsave_duration_sec
          rdb_last_bgsave_time_sec rdb_last_bgsave_duration_sec
          rdb_last_cow_size rdb_last_cow_size_bytes
          rdb_last_save_time rdb_last_save_timestamp_seconds
          repl_backlog_active repl_backlog_is_active
          repl_backlog_histlen repl_backlog_history_bytes
          repl_backlog_size replication_backlog_bytes
          sync_full replica_resyncs_full
          sync_partial_err replica_partial_resync_denied
          sync_partial_ok replica_partial_resync_accepted
          total_system_memory total_system_memory_bytes
          used_memory memory_used_bytes
          used_memory_dataset memory_used_dataset_bytes
          used_memory_functions memory_used_functions_bytes
          used_memory_lua memory_used_lua_bytes
          used_memory_overhead memory_used_overhead_bytes
          used_memory_peak memory_used_peak_bytes
          used_memory_rss memory_used_rss_bytes
          used_memory_scripts memory_used_scripts_bytes
          used_memory_startup memory_used_startup_bytes
          used_memory_vm_total memory_used_vm_total_bytes
          """);

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
  private static final Pattern DATABASE = Pattern.compile("db\\d+");
  private static final Pattern REPLICA = Pattern.compile("slave\\d+");

  private static final double MICROS = 1e6;
  private static final double MILLIS = 1e3;

  private final Map<String, String> fields = new LinkedHashMap<>();
  private final Exposition page = new Exposition();

  private MetricsPage(String info) {
    InfoReader.read(info, fields::put);
  }

  private static Map<String, String> names(String table) {
    Map<String, String> names = new HashMap<>();
    for (String line : table.split("\n")) {
      int blank = line.indexOf(' ');
      names.put(line.substring(0, blank), line.substring(blank + 1));
    }
    return names;
  }

  /**
   * Returns the page.
   *
   * @param info the text of INFO, best with all sections
   */
  public static String of(String info) {
    return new MetricsPage(info).text();
  }

  private String text() {
    page.gauge("up", "1");
    instance();
    fields.forEach(this::add);
    return page.toString();
  }

  private void instance() {
    page.gauge(
        "instance_info",
        "1",
        "role",
        field("role"),
        "redis_version",
        field("redis_version"),
        "kermes_version",
        field("kermes_version"),
        "redis_mode",
        field("redis_mode"),
        "os",
        field("os"),
        "maxmemory_policy",
        field("maxmemory_policy"),
        "tcp_port",
        field("tcp_port"),
        "run_id",
        field("run_id"),
        "process_id",
        field("process_id"));
    if (fields.containsKey("master_host")) {
      page.gauge("slave_info", "1", master("read_only", field("slave_read_only")));
    }
  }

  private void add(String name, String value) {
    if (name.startsWith("cmdstat_")) {
      command(name.substring("cmdstat_".length()), InfoReader.parts(value));
    } else if (name.startsWith("latency_percentiles_usec_")) {
      percentiles(name.substring("latency_percentiles_usec_".length()), InfoReader.parts(value));
    } else if (name.startsWith("errorstat_")) {
      String count = InfoReader.parts(value).getOrDefault("count", "0");
      page.counter("errors_total", count, "err", name.substring("errorstat_".length()));
    } else if (DATABASE.matcher(name).matches()) {
      database(name, InfoReader.parts(value));
    } else if (REPLICA.matcher(name).matches()) {
      replica(InfoReader.parts(value));
    } else if (name.equals("master_link_status")) {
      page.gauge("master_link_up", value.equals("up") ? "1" : "0", master());
    } else if (name.startsWith("master_last_io") || name.equals("master_sync_in_progress")) {
      page.gauge(name, value, master());
    } else {
      field(name, value);
    }
  }

  private void field(String name, String value) {
    String number = numberOf(value);
    if (number == null) return;
    String counter = COUNTERS.get(name);
    if (counter != null) page.counter(counter, number);
    else page.gauge(GAUGES.getOrDefault(name, name), number);
  }

  /** Also {@code ok} and {@code err}, of the last save, and percentages are numbers. */
  private static @Nullable String numberOf(String value) {
    if (value.equals("ok")) return "1";
    if (value.equals("err")) return "0";
    String plain = value.endsWith("%") ? value.substring(0, value.length() - 1) : value;
    return isNumber(plain) ? plain : null;
  }

  private void command(String command, Map<String, String> parts) {
    page.counter("commands_total", part(parts, "calls"), "cmd", command);
    page.counter(
        "commands_duration_seconds_total", divided(part(parts, "usec"), MICROS), "cmd", command);
    page.counter("commands_rejected_calls_total", part(parts, "rejected_calls"), "cmd", command);
    page.counter("commands_failed_calls_total", part(parts, "failed_calls"), "cmd", command);
  }

  private void percentiles(String command, Map<String, String> parts) {
    parts.forEach((percent, micros) -> {
      String digits = percent.replaceFirst("^p", "");
      if (!isNumber(digits) || !isNumber(micros)) return;
      String quantile = divided(digits, 100);
      page.gauge("latency_percentiles_usec", micros, "cmd", command, "quantile", quantile);
    });
  }

  private void database(String name, Map<String, String> parts) {
    page.gauge("db_keys", part(parts, "keys"), "db", name);
    page.gauge("db_keys_expiring", part(parts, "expires"), "db", name);
    page.gauge("db_avg_ttl_seconds", divided(part(parts, "avg_ttl"), MILLIS), "db", name);
    page.gauge("db_keys_with_expiring_items", part(parts, "subexpiry"), "db", name);
  }

  private void replica(Map<String, String> parts) {
    String[] labels = {
      "slave_ip", parts.getOrDefault("ip", ""),
      "slave_port", parts.getOrDefault("port", ""),
      "slave_state", parts.getOrDefault("state", "")
    };
    page.gauge("connected_slave_offset_bytes", part(parts, "offset"), labels);
    page.gauge("connected_slave_lag_seconds", part(parts, "lag"), labels);
  }

  private String[] master(String... more) {
    return Stream.concat(
            Stream.of("master_host", field("master_host"), "master_port", field("master_port")),
            Stream.of(more))
        .toArray(String[]::new);
  }

  /** A number, or 0. */
  private static String part(Map<String, String> parts, String name) {
    String value = parts.getOrDefault(name, "0");
    return isNumber(value) ? value : "0";
  }

  private static boolean isNumber(String value) {
    return NUMBER.matcher(value).matches();
  }

  private static String divided(String number, double by) {
    return String.valueOf(Double.parseDouble(number) / by);
  }

  private String field(String name) {
    return fields.getOrDefault(name, "");
  }
}
