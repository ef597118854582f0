package dev.kermes.server.command.info;

import dev.kermes.commands.CommandSpec;
import dev.kermes.commands.CommandTable;
import dev.kermes.server.acl.AclLog;
import dev.kermes.server.acl.Denial;
import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.client.Session;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.DatabaseExpiry;
import dev.kermes.server.keyspace.KeyspaceLock;
import dev.kermes.server.keyspace.Loading;
import dev.kermes.server.keyspace.MemoryAccount;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.replication.ByteChain;
import dev.kermes.server.replication.MasterLinkState;
import dev.kermes.server.replication.MasterStream;
import dev.kermes.server.replication.Replica;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.script.Scripting;
import dev.kermes.server.sentinel.MonitoredMaster;
import dev.kermes.server.sentinel.SentinelGroup;
import dev.kermes.server.sentinel.SentinelNode;
import dev.kermes.server.stats.CertificateFact;
import dev.kermes.server.stats.CertificateFacts;
import dev.kermes.server.stats.Durations;
import dev.kermes.server.stats.HotKeys;
import dev.kermes.server.stats.KeySizes;
import dev.kermes.server.stats.LoopStatistics;
import dev.kermes.server.stats.Rate;
import dev.kermes.server.stats.Statistics;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The text of INFO: {@code # Section}, then {@code name:value} lines. */
public final class Info {

  /** The version of Kermes as digits and dots; class files without a jar do not contain it. */
  private static final String KERMES_VERSION =
      Objects.requireNonNullElse(Info.class.getPackage().getImplementationVersion(), "0.0.0")
          .replace("-SNAPSHOT", "");

  /** The sections in their order. */
  private enum Section {
    SERVER,
    CLIENTS,
    MEMORY,
    PERSISTENCE,
    STATS,
    REPLICATION,
    CPU,
    LOOPS,
    COMMANDSTATS,
    ERRORSTATS,
    LATENCYSTATS,
    CLUSTER,
    KEYSPACE,
    KEYSIZES,
    HOTKEYS,
    TLS,
    SENTINEL;

    /** The sections of a sentinel. */
    private static final Set<Section> OF_SENTINELS =
        EnumSet.of(SERVER, CLIENTS, CPU, STATS, SENTINEL);

    String title() {
      boolean isShort = this == CPU || this == TLS;
      return isShort ? name() : name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** Whether the section is shown only on request. */
    boolean isExtra() {
      return this == COMMANDSTATS || this == LATENCYSTATS || this == TLS;
    }
  }

  private final Engine engine;
  private final CommandTable table;
  private final StringBuilder text = new StringBuilder();

  private Info(Engine engine, CommandTable table) {
    this.engine = engine;
    this.table = table;
  }

  /** Returns the sections with these names in lower case; no name stands for the default ones. */
  public static String text(Engine engine, CommandTable table, List<String> wanted) {
    Info info = new Info(engine, table);
    boolean wantsDefault = wanted.isEmpty() || wanted.contains("default");
    boolean wantsAll = wanted.contains("all") || wanted.contains("everything");
    for (Section section : Section.values()) {
      String name = section.name().toLowerCase(Locale.ROOT);
      boolean isWanted = wantsAll || wantsDefault && !section.isExtra() || wanted.contains(name);
      if (isWanted && info.has(section)) info.add(section);
    }
    return info.text.toString();
  }

  private boolean has(Section section) {
    if (engine.node() instanceof SentinelNode) return Section.OF_SENTINELS.contains(section);
    if (section == Section.HOTKEYS) return engine.hotKeys().poll() != null;
    return section != Section.SENTINEL;
  }

  private void add(Section section) {
    if (!text.isEmpty()) text.append("\r\n");
    text.append("# ").append(section.title()).append("\r\n");
    switch (section) {
      case SERVER -> server();
      case CLIENTS -> clients();
      case MEMORY -> memory();
      case PERSISTENCE -> persistence();
      case STATS -> stats();
      case REPLICATION -> replication();
      case CPU -> cpu();
      case LOOPS -> loops();
      case COMMANDSTATS -> commandStats();
      case ERRORSTATS -> errorStats();
      case LATENCYSTATS -> latencyStats();
      case CLUSTER -> line("cluster_enabled", engine.cluster() == null ? 0 : 1);
      case KEYSPACE -> keyspace();
      case KEYSIZES -> keySizes();
      case HOTKEYS -> hotKeys();
      case TLS -> tls();
      case SENTINEL -> sentinel(Objects.requireNonNull(SentinelNode.of(engine.node())).group());
    }
  }

  private void line(String name, Object value) {
    text.append(name).append(':').append(value).append("\r\n");
  }

  private void bytes(String name, long bytes) {
    line(name, bytes);
    line(name + "_human", human(bytes));
  }

  private static String human(long bytes) {
    if (bytes < 1 << 10) return bytes + "B";
    if (bytes < 1 << 20) return "%.2fK".formatted(bytes / 1024.0);
    if (bytes < 1 << 30) return "%.2fM".formatted(bytes / 1048576.0);
    return "%.2fG".formatted(bytes / 1073741824.0);
  }

  /** Writes Valkey's section on certificates, if there is a port for TLS. */
  private void tls() {
    boolean hasPort = engine.settings().tlsOptions().port.value() > 0;
    CertificateFacts facts = hasPort ? engine.statistics().certificates() : CertificateFacts.NONE;
    certificate("server", facts.server());
    certificate("client", facts.client());
    certificate("ca", facts.authority());
  }

  private void certificate(String whose, CertificateFact fact) {
    line("tls_" + whose + "_cert_serial", fact.serial());
    line(
        "tls_" + whose + "_cert_expires_in_seconds",
        fact.secondsLeft(engine.keyspace().nowMillis()));
  }

  private void sentinel(SentinelGroup group) {
    List<String> masters =
        group.locked(() -> group.masters().values().stream().map(MonitoredMaster::line).toList());
    line("sentinel_masters", masters.size());
    line("sentinel_tilt", 0);
    line("sentinel_tilt_since_seconds", -1);
    line("sentinel_running_scripts", 0);
    line("sentinel_scripts_queue_length", 0);
    line("sentinel_simulate_failure_flags", 0);
    for (int i = 0; i < masters.size(); i++) line("master" + i, masters.get(i));
  }

  private void server() {
    long uptimeSeconds = (engine.keyspace().nowMillis() - engine.startMillis()) / 1000;
    line("redis_version", engine.settings().serverOptions().announcedRelease.value().text());
    line("redis_git_sha1", "00000000");
    line("redis_git_dirty", 0);
    line("redis_build_id", "0");
    line("redis_mode", ServerNode.modeOf(engine.node()));
    line("server_name", "kermes");
    line("kermes_version", KERMES_VERSION);
    line("process_supervised", "no");
    line("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    line("arch_bits", 64);
    line("monotonic_clock", "System.nanoTime");
    line("multiplexing_api", engine.settings().networkOptions().transport.value());
    line("atomicvar_api", "jvm");
    line("gcc_version", "0.0.0");
    line("jvm", System.getProperty("java.vm.name") + " " + Runtime.version());
    line("process_id", ProcessHandle.current().pid());
    line("run_id", engine.runId());
    line("tcp_port", engine.settings().networkOptions().port.intValue());
    line("server_time_usec", engine.keyspace().clock().millis() * 1000);
    line("uptime_in_seconds", uptimeSeconds);
    line("uptime_in_days", uptimeSeconds / 86_400);
    line("hz", engine.settings().serverOptions().hz.intValue());
    line("configured_hz", engine.settings().serverOptions().hz.intValue());
    line("lru_clock", engine.keyspace().lruClock().seconds());
    line("executable", ProcessHandle.current().info().command().orElse(""));
    line("io_threads_active", 0);
    line("availability_zone", engine.settings().clientOptions().availabilityZone.value());
    line("config_file", engine.settings().file() == null ? "" : engine.settings().file());
    long shutdownMillis = engine.shutdown().millisLeft();
    if (shutdownMillis >= 0) line("shutdown_in_milliseconds", shutdownMillis);
  }

  private void clients() {
    int subscribers = 0;
    int watching = 0;
    int paused = 0;
    int leaving = 0;
    long inputMax = 0;
    long outputMax = 0;
    for (Session session : engine.clients().sessions()) {
      inputMax = Math.max(inputMax, session.connection().unreadBytes());
      outputMax = Math.max(outputMax, session.output().bytes());
      if (!session.subscriptions().isEmpty()) subscribers++;
      if (session.watches().count() > 0) watching++;
      if (session.isPaused()) paused++;
      if (session.isClosing()) leaving++;
    }
    int replicas = engine.replication().replicas().all().size();
    line("connected_clients", engine.clients().sessions().size() - leaving - replicas);
    line("cluster_connections", 0);
    line("maxclients", engine.settings().clientOptions().max.intValue());
    line("client_recent_max_input_buffer", inputMax);
    line("client_recent_max_output_buffer", outputMax);
    line("blocked_clients", engine.blockedClients().count() + paused);
    line("tracking_clients", engine.tracking().clientCount());
    line("pubsub_clients", subscribers);
    line("watching_clients", watching);
    line("clients_in_timeout_table", engine.blockedClients().timedCount());
    line("total_watched_keys", engine.clients().watchedKeys().count());
    line("total_blocking_keys", engine.blockedClients().keyCount());
    line("total_blocking_keys_on_nokey", engine.blockedClients().keyCountWithoutValue());
    Pause.Reason reason = engine.pause().reason();
    line("paused_reason", reason == null ? "none" : reason.text());
    line("paused_actions", reason == null ? "none" : engine.pause().holdsAll() ? "all" : "write");
    line("paused_timeout_milliseconds", engine.pause().millisLeft());
  }

  /**
   * Writes the memory section: {@code used_memory} is the account of MemoryAccount; the JVM's heap
   * holds more.
   */
  private void memory() {
    MemoryAccount memory = engine.keyspace().memory();
    MemoryFacts facts = MemoryFacts.of(engine);
    MemoryOptions limits = engine.settings().memoryOptions();
    bytes("used_memory", facts.used());
    bytes("used_memory_rss", facts.resident());
    bytes("used_memory_peak", facts.peak());
    line("used_memory_peak_perc", percent(facts.peakPercent()));
    line("used_memory_overhead", facts.used() - facts.data());
    line("used_memory_startup", 0); // the account begins with clients' data
    line("used_memory_dataset", facts.data());
    line("used_memory_dataset_perc", percent(facts.dataPercent()));
    heap(facts);
    bytes("total_system_memory", MemoryFacts.machineBytes());
    scripts();
    line("used_memory_heap", facts.heapUsed());
    line("used_memory_heap_committed", facts.heapCommitted());
    line("used_memory_heap_max", Runtime.getRuntime().maxMemory());
    line("used_memory_heap_limit", memory.heapLimit());
    bytes("maxmemory", limits.max.value());
    line("maxmemory_recommended", memory.recommendedMax());
    line("maxmemory_policy", limits.policy.value().text());
    line("mem_fragmentation_ratio", ratio(facts.fragmentation()));
    line("mem_fragmentation_bytes", facts.resident() - facts.used());
    line("mem_not_counted_for_evict", 0);
    line("mem_replication_backlog", facts.backlog());
    line("mem_total_replication_buffers", facts.backlog() + facts.forReplicas());
    line("mem_clients_slaves", facts.forReplicas());
    line("mem_clients_normal", memory.clientBytes());
    line("mem_cluster_links", 0);
    line("mem_aof_buffer", facts.aofBuffer());
    line("mem_allocator", "jvm");
    line("active_defrag_running", 0);
    line("lazyfree_pending_objects", 0);
    line("lazyfreed_objects", engine.statistics().lazyFreedObjects);
  }

  /** Writes facts about the heap under Redis's names for its allocator. */
  private void heap(MemoryFacts facts) {
    line("allocator_allocated", facts.heapAllocated());
    line("allocator_active", facts.heapUsed());
    line("allocator_resident", facts.heapCommitted());
    line("allocator_frag_ratio", ratio(facts.betweenRatio()));
    line("allocator_frag_bytes", facts.between());
    line("allocator_rss_ratio", ratio(facts.heapOverhead()));
    line("allocator_rss_bytes", facts.heapCommitted() - facts.heapUsed());
    line("rss_overhead_ratio", ratio(facts.residentOverhead()));
    line("rss_overhead_bytes", facts.resident() - facts.heapCommitted());
  }

  private static String percent(double percent) {
    return "%.2f%%".formatted(percent);
  }

  private static String ratio(double ratio) {
    return "%.2f".formatted(ratio);
  }

  private void scripts() {
    Scripting scripting = engine.scripting();
    long ofScripts = scripting.scriptMachineBytes();
    long ofFunctions = scripting.functionMachineBytes();
    bytes("used_memory_lua", ofScripts);
    line("used_memory_vm_eval", ofScripts);
    line("used_memory_vm_functions", ofFunctions);
    bytes("used_memory_vm_total", ofScripts + ofFunctions);
    line("used_memory_scripts_eval", scripting.scripts().bytes());
    line("used_memory_functions", scripting.libraries().bytes());
    bytes("used_memory_scripts", scripting.bytes());
    line("number_of_cached_scripts", scripting.scripts().size());
    line("number_of_functions", scripting.libraries().functionCount());
    line("number_of_libraries", scripting.libraries().all().size());
  }

  private static long seconds(long millis) {
    return millis < 0 ? -1 : millis / 1000;
  }

  private void appendOnly() {
    AppendOnly file = engine.appendOnly();
    AofWriter writer = file.writer();
    line("aof_enabled", writer == null ? 0 : 1);
    line("aof_rewrite_in_progress", file.rewrites().isRunning() ? 1 : 0);
    line("aof_rewrite_scheduled", file.rewrites().isScheduled() ? 1 : 0);
    line("aof_last_rewrite_time_sec", seconds(file.rewrites().lastDurationMillis()));
    line("aof_current_rewrite_time_sec", seconds(file.rewrites().durationMillis()));
    line("aof_last_bgrewrite_status", file.rewrites().hasFailed() ? "err" : "ok");
    line("aof_rewrites", file.rewrites().count());
    line("aof_rewrites_consecutive_failures", file.rewrites().hasFailed() ? 1 : 0);
    line("aof_last_write_status", file.error() == null ? "ok" : "err");
    line("aof_last_cow_size", 0);
    if (writer == null) return;
    line("aof_current_size", file.size());
    line("aof_base_size", file.baseSize());
    line("aof_pending_rewrite", 0);
    line("aof_buffer_length", writer.pending());
    line("aof_pending_bio_fsync", writer.isSyncing() ? 1 : 0);
    line("aof_delayed_fsync", writer.delayedSyncs());
  }

  private void persistence() {
    line("loading", engine.keyspace().loading().isOn() ? 1 : 0);
    line("async_loading", engine.keyspace().loading().isAsync() ? 1 : 0);
    withoutForks();
    Persistence persistence = engine.persistence();
    String status = persistence.hasFailed() ? "err" : "ok";
    line("rdb_changes_since_last_save", engine.keyspace().dirty());
    boolean isFullSyncRunning =
        engine.replication().replicas().isFullSyncRunning(); // for replicas, as in Redis
    line("rdb_bgsave_in_progress", persistence.isSaving() || isFullSyncRunning ? 1 : 0);
    line("rdb_last_save_time", persistence.lastSaveMillis() / 1000);
    line("rdb_last_bgsave_status", status);
    line("rdb_last_bgsave_time_sec", seconds(persistence.lastDurationMillis()));
    line("rdb_current_bgsave_time_sec", seconds(persistence.durationMillis()));
    line("rdb_saves", persistence.saves());
    line("rdb_last_cow_size", 0);
    line("rdb_last_load_keys_expired", persistence.keysExpired());
    line("rdb_last_load_keys_loaded", persistence.keysLoaded());
    appendOnly();
    if (engine.keyspace().loading().isUnderWay()) loading();
  }

  /** Writes zeros for forks: threads write files, without a child process or copied pages. */
  private void withoutForks() {
    line("current_cow_peak", 0);
    line("current_cow_size", 0);
    line("current_cow_size_age", 0);
    line("current_fork_perc", "0.00");
    line("current_save_keys_processed", 0);
    line("current_save_keys_total", 0);
    line("module_fork_in_progress", 0);
    line("module_fork_last_cow_size", 0);
  }

  private void loading() {
    Loading loading = engine.keyspace().loading();
    long total = loading.likelyBytes();
    long done = loading.loadedBytes();
    double percent = total == 0 ? 0 : 100.0 * done / total;
    if (loading.totalBytes() == 0) percent = Math.min(percent, 99.99); // the end is unknown
    long seconds = (engine.keyspace().clock().millis() - loading.startMillis()) / 1000;
    line("loading_start_time", loading.startMillis() / 1000);
    line("loading_total_bytes", loading.totalBytes());
    line("loading_rdb_used_mem", loading.usedMemory());
    line("loading_loaded_bytes", done);
    line("loading_loaded_perc", "%.2f".formatted(percent));
    line("loading_eta_seconds", done == 0 ? 1 : seconds * Math.max(0, total - done) / done);
  }

  private void stats() {
    Statistics statistics = engine.statistics();
    line("total_connections_received", statistics.connectionsReceived);
    line("total_commands_processed", statistics.commands);
    line("instantaneous_ops_per_sec", engine.rates().commands.perSecond());
    line("total_net_input_bytes", statistics.inputBytes);
    line("total_net_output_bytes", statistics.outputBytes);
    line("total_net_repl_input_bytes", statistics.replicationInputBytes);
    line("total_net_repl_output_bytes", statistics.replicationOutputBytes.get());
    line("instantaneous_input_kbps", kibibytes(engine.rates().inputBytes));
    line("instantaneous_output_kbps", kibibytes(engine.rates().outputBytes));
    line("instantaneous_input_repl_kbps", kibibytes(engine.rates().replicationInputBytes));
    line("instantaneous_output_repl_kbps", kibibytes(engine.rates().replicationOutputBytes));
    line("rejected_connections", statistics.connectionsRejected);
    line("sync_full", engine.replication().replicas().fullSyncs());
    line("sync_partial_ok", engine.replication().replicas().partialSyncs());
    line("sync_partial_err", engine.replication().replicas().refusedPartialSyncs());
    line("expired_keys", statistics.expiredKeys);
    line("expired_subkeys", statistics.expiredFields);
    line("expired_fields", statistics.expiredFields); // Valkey's name
    line("expired_stale_perc", "%.2f".formatted(engine.activeExpiry().staleShare() * 100));
    line("expired_time_cap_reached_count", statistics.expiryCyclesCut);
    line("expire_cycle_cpu_milliseconds", statistics.expiryNanos / 1_000_000);
    line("evicted_keys", statistics.evictedKeys);
    line("evicted_clients", statistics.evictedClients);
    line("keyspace_hits", statistics.keyspaceHits);
    line("keyspace_misses", statistics.keyspaceMisses);
    line("pubsub_channels", engine.pubSub().names(PubSub.Kind.CHANNEL, null).size());
    line("pubsub_patterns", engine.pubSub().patternCount());
    line("pubsubshard_channels", engine.pubSub().names(PubSub.Kind.SHARD, null).size());
    line("migrate_cached_sockets", engine.targets().idleCount());
    int tracked =
        engine.keyspace().databases().stream().mapToInt(each -> each.expiry().ownSize()).sum();
    line("slave_expires_tracked_keys", tracked);
    line("tracking_total_keys", engine.tracking().keyCount());
    line("tracking_total_items", engine.tracking().itemCount());
    line("tracking_total_prefixes", engine.tracking().prefixCount());
    line("unexpected_error_replies", statistics.unexpectedErrors);
    line("total_error_replies", statistics.errorReplies);
    AclLog denials = engine.acl().log();
    line("acl_access_denied_auth", denials.count(Denial.Reason.AUTH));
    line("acl_access_denied_cmd", denials.count(Denial.Reason.COMMAND));
    line("acl_access_denied_key", denials.count(Denial.Reason.KEY));
    line("acl_access_denied_channel", denials.count(Denial.Reason.CHANNEL));
    line("acl_access_denied_tls_cert", denials.count(Denial.Reason.TLS_CERT));
    line("acl_access_denied_db", denials.count(Denial.Reason.DATABASE));
    line("client_query_buffer_limit_disconnections", statistics.inputLimitCloses);
    line("client_output_buffer_limit_disconnections", statistics.outputLimitCloses);
    line("evicted_scripts", engine.scripting().scripts().evictedCount());
    turns();
    withoutCounterpart();
  }

  private static String kibibytes(Rate bytes) {
    return "%.2f".formatted(bytes.perSecond() / 1024.0);
  }

  /**
   * Writes a turn of any loop, with the keyspace lock, as what Redis calls a cycle of its event
   * loop.
   */
  private void turns() {
    KeyspaceLock keyspaceLock = engine.keyspace().lock();
    long perSecond = engine.rates().turns.perSecond();
    line("eventloop_cycles", keyspaceLock.turns());
    line("eventloop_duration_sum", keyspaceLock.heldNanos() / 1000);
    line("eventloop_duration_cmd_sum", engine.statistics().nanos() / 1000);
    line("instantaneous_eventloop_cycles_per_sec", perSecond);
    line(
        "instantaneous_eventloop_duration_usec",
        perSecond == 0 ? 0 : engine.rates().turnNanos.perSecond() / perSecond / 1000);
  }

  /**
   * Writes Redis's fields for features that this server does not have: forks, moved allocations,
   * separate threads for input and output, time limits of eviction.
   */
  private void withoutCounterpart() {
    long turns = engine.loops().stream().mapToLong(LoopStatistics::turns).sum();
    line("total_reads_processed", turns); // one per turn of a loop, however much came
    line("total_writes_processed", turns);
    line("total_eviction_exceeded_time", 0);
    line("current_eviction_exceeded_time", 0);
    line("total_forks", 0);
    line("latest_fork_usec", 0);
    line("dump_payload_sanitizations", 0);
    line("io_threaded_reads_processed", 0);
    line("io_threaded_writes_processed", 0);
    line("reply_buffer_shrinks", 0);
    line("reply_buffer_expands", 0);
    line("active_defrag_hits", 0);
    line("active_defrag_misses", 0);
    line("active_defrag_key_hits", 0);
    line("active_defrag_key_misses", 0);
    line("total_active_defrag_time", 0);
    line("current_active_defrag_time", 0);
  }

  private void replication() {
    Replication replication = engine.replication();
    Replication.Address master = replication.master();
    line("role", master == null ? "master" : "slave");
    if (master != null) replicaOf(master, replication);
    replicas(replication);
    line("master_failover_state", replication.failover().state().text());
    line("master_replid", replication.id());
    line("master_replid2", replication.secondaryId());
    line("master_repl_offset", replication.offset());
    line("second_repl_offset", replication.secondaryOffset());
    backlog(replication);
  }

  private void replicas(Replication replication) {
    line("connected_slaves", replication.replicas().all().size());
    line("replicas_waiting_psync", 0); // the connection of the full sync also carries their stream
    if (replication.options().replicasMin.intValue() > 0) {
      line("min_slaves_good_slaves", replication.replicas().goodCount());
    }
    int i = 0;
    for (Replica each : replication.replicas().all()) {
      boolean isOnline = each.state() == Replica.State.ONLINE;
      long lag = isOnline ? (engine.keyspace().nowMillis() - each.heardMillis()) / 1000 : 0;
      line(
          "slave" + i++,
          "ip=%s,port=%d,state=%s,offset=%d,lag=%d"
              .formatted(each.ip(), each.port(), each.state().text(), each.acknowledged(), lag));
    }
  }

  private void backlog(Replication replication) {
    ByteChain stream = replication.replicas().stream();
    line("repl_backlog_active", stream == null ? 0 : 1);
    line("repl_backlog_size", replication.options().backlogBytes.value());
    line("repl_backlog_first_byte_offset", stream == null ? 0 : stream.start() + 1);
    line("repl_backlog_histlen", stream == null ? 0 : stream.end() - stream.start());
  }

  private void replicaOf(Replication.Address master, Replication replication) {
    MasterStream stream = replication.masterStream();
    boolean isUp = stream.isConnected();
    boolean isSyncing = stream.state() == MasterLinkState.SYNC;
    long now = engine.keyspace().nowMillis();
    line("master_host", master.host());
    line("master_port", master.port());
    line("master_link_status", isUp ? "up" : "down");
    line("master_last_io_seconds_ago", isUp ? (now - stream.heardMillis()) / 1000 : -1);
    line("master_sync_in_progress", isSyncing ? 1 : 0);
    line("slave_read_repl_offset", replication.offset());
    line("slave_repl_offset", replication.offset());
    if (isSyncing) {
      line("master_sync_total_bytes", Math.max(0, stream.fullSyncBytes()));
      line("master_sync_left_bytes", stream.fullSyncBytesLeft());
      line("master_sync_last_io_seconds_ago", (now - stream.heardMillis()) / 1000);
    }
    if (!isUp) {
      line("master_link_down_since_seconds", (now - stream.downSinceMillis()) / 1000);
    }
    line("slave_priority", replication.options().priority.intValue());
    line("slave_read_only", replication.options().isReadOnly.isOn() ? 1 : 0);
    line("replica_announced", replication.options().isAnnounced.isOn() ? 1 : 0);
  }

  private void cpu() {
    String seconds = "%.6f".formatted(processNanos() / 1e9);
    // Java does not report the kernel's share.
    line("used_cpu_sys", "0.000000");
    line("used_cpu_user", seconds);
    line("used_cpu_total", seconds);
    for (String of : List.of("children", "main_thread")) { // there are none
      line("used_cpu_sys_" + of, "0.000000");
      line("used_cpu_user_" + of, "0.000000");
    }
  }

  /** The processor time of the process; 0 if this JVM does not report it. */
  static long processNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getProcessCpuTime()
        : 0;
  }

  /** Writes the keyspace lock's hold time, which bounds what all loops together can execute. */
  private void loops() {
    KeyspaceLock keyspaceLock = engine.keyspace().lock();
    long commands = Math.max(1, engine.statistics().commands);
    line("floor_turns", keyspaceLock.turns());
    line("floor_held_usec", keyspaceLock.heldNanos() / 1000);
    line("floor_held_usec_max", keyspaceLock.heldNanosMax() / 1000);
    line("floor_held_nsec_per_command", keyspaceLock.heldNanos() / commands);
    int i = 0;
    for (LoopStatistics loop : engine.loops()) {
      line(
          "loop" + i++,
          "turns=%d,commands=%d,connections=%d"
              .formatted(loop.turns(), loop.commands(), loop.connections()));
    }
  }

  /** Writes the databases; hashes with fields that expire have Redis's name and Valkey's. */
  private void keyspace() {
    for (Database database : engine.keyspace().databases()) {
      if (database.size() == 0) continue;
      DatabaseExpiry expiry = database.expiry();
      String counts =
          "keys=%1$d,expires=%2$d,avg_ttl=%3$d,subexpiry=%4$d,keys_with_volatile_items=%4$d"
              .formatted(
                  database.size(), expiry.size(), expiry.averageTtlMillis(), expiry.hashesSize());
      line("db" + database.index(), counts);
    }
  }

  private void keySizes() {
    for (Database database : engine.keyspace().databases()) {
      for (KeySizes.Kind kind : KeySizes.Kind.values()) {
        String histogram = database.sizes().histogram(kind);
        if (histogram.isEmpty()) continue;
        line("db%d_distrib_%s".formatted(database.index(), kind.title()), histogram);
      }
    }
  }

  private void hotKeys() {
    HotKeys found = Objects.requireNonNull(engine.hotKeys().poll());
    line("hotkeys-tracking-active", found.isActive() ? 1 : 0);
  }

  private void errorStats() {
    for (Map.Entry<String, Long> error : engine.statistics().errors().entrySet()) {
      line("errorstat_" + error.getKey(), "count=" + error.getValue());
    }
  }

  private void commandStats() {
    Statistics statistics = engine.statistics();
    for (CommandSpec spec : table.all()) {
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

  private void latencyStats() {
    for (CommandSpec spec : table.all()) {
      Durations durations = engine.statistics().durations(spec.id());
      if (durations == null) continue;
      StringBuilder values = new StringBuilder();
      for (double percent : engine.settings().monitoringOptions().percentiles.value()) {
        if (!values.isEmpty()) values.append(',');
        double micros = durations.percentile(percent) / 1000.0;
        values.append("p%s=%.3f".formatted(MonitoringOptions.plain(percent), micros));
      }
      line("latency_percentiles_usec_" + spec.fullName(), values);
    }
  }
}
