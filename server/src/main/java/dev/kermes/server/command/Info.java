package dev.kermes.server.command;

import dev.kermes.commands.CommandSpec;
import dev.kermes.server.engine.Database;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.engine.Floor;
import dev.kermes.server.engine.LoopStatistics;
import dev.kermes.server.engine.Session;
import dev.kermes.server.engine.Statistics;
import dev.kermes.server.engine.Waiting;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** The text of INFO: {@code # Section}, then {@code name:value} lines. */
final class Info {

  /** Sections in their order; the last two only when asked for. */
  private enum Section {
    SERVER,
    CLIENTS,
    MEMORY,
    STATS,
    REPLICATION,
    CPU,
    LOOPS,
    ERRORSTATS,
    CLUSTER,
    KEYSPACE,
    COMMANDSTATS
  }

  private final Call call;
  private final Engine engine;
  private final StringBuilder text = new StringBuilder();

  private Info(Call call) {
    this.call = call;
    engine = call.engine();
  }

  static String text(Call call, List<String> wanted) {
    Info info = new Info(call);
    boolean wantsDefault = wanted.isEmpty() || wanted.contains("default");
    boolean wantsAll = wanted.contains("all") || wanted.contains("everything");
    for (Section section : Section.values()) {
      boolean isDefault = section != Section.COMMANDSTATS;
      String name = section.name().toLowerCase(Locale.ROOT);
      if (wantsAll || wantsDefault && isDefault || wanted.contains(name)) info.add(section);
    }
    return info.text.toString();
  }

  private void add(Section section) {
    if (!text.isEmpty()) text.append("\r\n");
    String name = section.name();
    String lower = name.substring(1).toLowerCase(Locale.ROOT);
    text.append("# ").append(section == Section.CPU ? name : name.charAt(0) + lower);
    text.append("\r\n");
    switch (section) {
      case SERVER -> server();
      case CLIENTS -> clients();
      case MEMORY -> memory();
      case STATS -> stats();
      case REPLICATION -> {
        line("role", "master");
        line("connected_slaves", 0);
      }
      case CPU -> cpu();
      case LOOPS -> loops();
      case ERRORSTATS ->
          engine
              .statistics()
              .errors()
              .forEach((code, n) -> line("errorstat_" + code, "count=" + n));
      case CLUSTER -> line("cluster_enabled", 0);
      case KEYSPACE -> keyspace();
      case COMMANDSTATS -> commandStats();
    }
  }

  private void line(String name, Object value) {
    text.append(name).append(':').append(value).append("\r\n");
  }

  private void server() {
    long uptimeSeconds = (call.nowMillis() - engine.startMillis()) / 1000;
    line("redis_version", ServerCommands.REDIS_VERSION);
    line("redis_mode", "standalone");
    line("server_name", "kermes");
    line("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    line("arch_bits", 64);
    line("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
    line("process_id", ProcessHandle.current().pid());
    line("run_id", engine.runId());
    line("tcp_port", engine.settings().port());
    line("uptime_in_seconds", uptimeSeconds);
    line("uptime_in_days", uptimeSeconds / 86_400);
    line("hz", engine.settings().hz());
  }

  private void clients() {
    int subscribers = 0;
    for (Session session : engine.sessions()) if (session.isSubscriber()) subscribers++;
    line("connected_clients", engine.sessions().size());
    line("maxclients", engine.settings().maxClients());
    line("blocked_clients", engine.waiting().count());
    line("pubsub_clients", subscribers);
    line("total_blocking_keys", Waiting.keyCount(engine.databases()));
  }

  private void memory() {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    line("used_memory", used);
    line("used_memory_human", "%.2fM".formatted(used / 1048576.0));
    line("used_memory_heap_committed", runtime.totalMemory());
    line("used_memory_heap_max", runtime.maxMemory());
    line("maxmemory", 0);
    line("maxmemory_policy", "noeviction");
    line("mem_allocator", "jvm");
  }

  private void stats() {
    Statistics statistics = engine.statistics();
    line("total_connections_received", statistics.connectionsReceived);
    line("total_commands_processed", statistics.commands);
    line("total_net_input_bytes", statistics.inputBytes);
    line("total_net_output_bytes", statistics.outputBytes);
    line("rejected_connections", statistics.connectionsRejected);
    line("expired_keys", statistics.expiredKeys);
    line("evicted_keys", 0);
    line("keyspace_hits", statistics.keyspaceHits);
    line("keyspace_misses", statistics.keyspaceMisses);
    line(
        "pubsub_channels",
        engine.pubSub().names(dev.kermes.server.engine.PubSub.Kind.CHANNEL, null).size());
    line("pubsub_patterns", engine.pubSub().patternCount());
    line("total_error_replies", statistics.errorReplies);
    line("unexpected_error_replies", statistics.unexpectedErrors);
  }

  private void cpu() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean os) {
      line("used_cpu_total", "%.6f".formatted(os.getProcessCpuTime() / 1e9));
    }
  }

  /** The floor's hold time bounds what all loops together can execute. */
  private void loops() {
    Floor floor = engine.floor();
    long commands = Math.max(1, engine.statistics().commands);
    line("floor_turns", floor.turns());
    line("floor_held_usec", floor.heldNanos() / 1000);
    line("floor_held_usec_max", floor.heldNanosMax() / 1000);
    line("floor_held_nsec_per_command", floor.heldNanos() / commands);
    int i = 0;
    for (LoopStatistics loop : engine.loops()) {
      line(
          "loop" + i++,
          "turns=%d,commands=%d,connections=%d"
              .formatted(loop.turns(), loop.commands(), loop.connections()));
    }
  }

  private void keyspace() {
    for (Database database : engine.databases()) {
      if (database.size() == 0) continue;
      String counts =
          "keys=%d,expires=%d,avg_ttl=0".formatted(database.size(), database.expiringSize());
      line("db" + database.index(), counts);
    }
  }

  private void commandStats() {
    Statistics statistics = engine.statistics();
    for (CommandSpec spec : call.executor().table().all()) {
      int id = spec.id();
      long calls = statistics.calls(id);
      if (calls + statistics.rejectedCalls(id) == 0) continue;
      long micros = statistics.nanos(id) / 1000;
      line(
          "cmdstat_" + spec.fullName(),
          "calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d"
              .formatted(
                  calls,
                  micros,
                  calls == 0 ? 0.0 : (double) micros / calls,
                  statistics.rejectedCalls(id),
                  statistics.failedCalls(id)));
    }
  }
}
