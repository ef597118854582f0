package dev.kermes.server.engine;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.acl.Users;
import dev.kermes.server.client.Acl;
import dev.kermes.server.client.BlockedClient;
import dev.kermes.server.client.BlockedClients;
import dev.kermes.server.client.Clients;
import dev.kermes.server.client.KeyspaceNotifications;
import dev.kermes.server.client.Pause;
import dev.kermes.server.client.PubSub;
import dev.kermes.server.client.Session;
import dev.kermes.server.client.Tracking;
import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.config.AclOptions;
import dev.kermes.server.config.MonitoringOptions;
import dev.kermes.server.config.Settings;
import dev.kermes.server.config.ShutdownMode;
import dev.kermes.server.keyspace.ActiveExpiry;
import dev.kermes.server.keyspace.Eviction;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.keyspace.KeyspaceLock;
import dev.kermes.server.keyspace.Restriction;
import dev.kermes.server.keyspace.Restrictions;
import dev.kermes.server.migrate.TargetConnections;
import dev.kermes.server.node.ServerNode;
import dev.kermes.server.persistence.AppendOnly;
import dev.kermes.server.persistence.Persistence;
import dev.kermes.server.persistence.Snapshots;
import dev.kermes.server.replication.Replication;
import dev.kermes.server.replication.ReplicationHost;
import dev.kermes.server.script.Scripting;
import dev.kermes.server.stats.LoopStatistics;
import dev.kermes.server.stats.Rates;
import dev.kermes.server.stats.SlowLogs;
import dev.kermes.server.stats.Statistics;
import dev.kermes.server.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one server, built once and connected. Commands and event loops reach the parts
 * through it; the parts do not know it. Guarded by the {@link KeyspaceLock}.
 */
public final class Engine implements ReplicationHost {

  private final Settings settings;
  private final Statistics statistics;
  private final Scripting scripting;
  private final Keyspace keyspace;
  private final ActiveExpiry activeExpiry;
  private final Eviction eviction;
  private final Clients clients;
  private final Acl acl;
  private final PubSub pubSub = new PubSub();
  private final BlockedClients blockedClients = new BlockedClients();
  private final Tracking tracking;
  private final Pause pause;
  private final KeyspaceNotifications notifications;
  private final Snapshots snapshots;
  private final Persistence persistence;
  private final AppendOnly appendOnly;
  private final Replication replication;
  private final Shutdown shutdown = new Shutdown(this);
  private final CriticalThreads criticalThreads = new CriticalThreads();
  private final Admission admission;
  private final TargetConnections targets;
  private final Rates rates;
  private final SlowLogs slowLogs = new SlowLogs();
  private final HotKeysRecording hotKeys;
  private final SocketChanges socketChanges = new SocketChanges();
  private final List<LoopStatistics> loops = new CopyOnWriteArrayList<>();
  private final String runId;
  private final long startMillis;
  private final @Nullable ServerNode node;
  private final @Nullable ClusterNode cluster;

  private boolean isCronPaused;
  private @Nullable SuspendedScript suspended;

  /**
   * Builds a server without data; it does not listen, and has not read any file.
   *
   * @param node its place among other servers in this JVM; null for a server on its own
   */
  public Engine(
      Clock clock,
      RandomGenerator random,
      Settings settings,
      CommandTable table,
      @Nullable ServerNode node) {
    this.settings = settings;
    this.node = node;
    cluster = node instanceof ClusterNode member ? member : null;
    statistics = new Statistics(table.size());
    scripting =
        new Scripting(
            settings.serverOptions().announcedRelease.value().text(),
            settings.scriptOptions().memoryMax.value());
    keyspace = new Keyspace(clock, random, settings, statistics, scripting);
    startMillis = keyspace.nowMillis();
    runId = keyspace.randomId();
    hotKeys = new HotKeysRecording(keyspace);
    activeExpiry = new ActiveExpiry(keyspace, this::cronRests);
    eviction = new Eviction(keyspace, activeExpiry);
    admission = new Admission(keyspace.memory());
    // Rules name commands by their own names, whatever rename-command says.
    AclOptions access = settings.aclOptions();
    clients =
        new Clients(keyspace, new Users(table.original(), () -> access.allChannelsByDefault()));
    tracking = new Tracking(keyspace, clients);
    pause = new Pause(keyspace);
    notifications = new KeyspaceNotifications(settings, clients, blockedClients, tracking, pubSub);
    keyspace.listener(notifications);
    targets = new TargetConnections(clock);
    KeyspaceLock lock = keyspace.lock();
    rates = new Rates(clock, statistics, lock::turns, lock::heldNanos);
    snapshots = new Snapshots(keyspace);
    persistence = new Persistence(snapshots);
    acl = new Acl(settings, clients);
    appendOnly =
        new AppendOnly(keyspace, persistence, work -> criticalThreads.watched("kermes-aof", work));
    replication =
        new Replication(
            snapshots, persistence, appendOnly, clients.users(), blockedClients, pause, this);
    keyspace.log().onGap(this::logHasGap);
    if (cluster != null) {
      settings.clusterOptions().enabled.assign("yes");
      keyspace.restrictions().set(Restriction.CLUSTER, true);
      cluster.announce(settings.clusterOptions());
    }
    settings.onChange(this::settingsChanged);
    restrictByOptions();
  }

  // Parts

  public Keyspace keyspace() {
    return keyspace;
  }

  public Settings settings() {
    return settings;
  }

  public Statistics statistics() {
    return statistics;
  }

  /** The running snapshots. */
  public Snapshots snapshots() {
    return snapshots;
  }

  /** The publisher of keyspace notifications. */
  public KeyspaceNotifications notifications() {
    return notifications;
  }

  public Clients clients() {
    return clients;
  }

  public PubSub pubSub() {
    return pubSub;
  }

  public BlockedClients blockedClients() {
    return blockedClients;
  }

  public CriticalThreads criticalThreads() {
    return criticalThreads;
  }

  /** The limit of connections that the heap has room for. */
  public Admission admission() {
    return admission;
  }

  public Eviction eviction() {
    return eviction;
  }

  public ActiveExpiry activeExpiry() {
    return activeExpiry;
  }

  public Rates rates() {
    return rates;
  }

  public Persistence persistence() {
    return persistence;
  }

  /** The append only file. */
  public AppendOnly appendOnly() {
    return appendOnly;
  }

  /** The users and their rights. */
  public Acl acl() {
    return acl;
  }

  public Replication replication() {
    return replication;
  }

  /** The shutdown of the server. */
  public Shutdown shutdown() {
    return shutdown;
  }

  public Scripting scripting() {
    return scripting;
  }

  /** Connections to the targets of MIGRATE. */
  public TargetConnections targets() {
    return targets;
  }

  public Tracking tracking() {
    return tracking;
  }

  public Pause pause() {
    return pause;
  }

  /** The logs of slow and large commands. */
  public SlowLogs slowLogs() {
    return slowLogs;
  }

  /** The recording of HOTKEYS. */
  public HotKeysRecording hotKeys() {
    return hotKeys;
  }

  /** The place of this server among others in this JVM; null for a server on its own. */
  public @Nullable ServerNode node() {
    return node;
  }

  /** The node of a cluster that this server is; null if it is none. */
  public @Nullable ClusterNode cluster() {
    return cluster;
  }

  public String runId() {
    return runId;
  }

  public long startMillis() {
    return startMillis;
  }

  /** The event loops that run the commands. */
  public List<LoopStatistics> loops() {
    return loops;
  }

  /** The actions that make the sockets follow the options. */
  public SocketChanges socketChanges() {
    return socketChanges;
  }

  // The options

  /** Fast commands take microseconds; only limits below this require timing each of them. */
  private static final long TIMED_BELOW_MICROS = 1000;

  private void settingsChanged() {
    clients.measure(); // a limit may have been set
    acl.settingsChanged();
    persistence.settingsChanged();
    if (cluster != null) cluster.announce(settings.clusterOptions());
    restrictByOptions();
  }

  private void restrictByOptions() {
    MonitoringOptions logs = settings.monitoringOptions();
    long slower = logs.slowerThanMicros.value();
    boolean logsMany = slower >= 0 && slower < TIMED_BELOW_MICROS;
    boolean weighs = logs.requestLargerThan.value() >= 0 || logs.replyLargerThan.value() >= 0;
    int replicasMin = settings.replicationOptions().replicasMin.intValue();
    Restrictions restrictions = keyspace.restrictions();
    restrictions.set(Restriction.TIMES, logsMany || logs.latencyMillis.value() > 0);
    restrictions.set(Restriction.SIZES, weighs);
    restrictions.set(Restriction.MAXMEMORY, settings.memoryOptions().max.value() > 0);
    restrictions.set(Restriction.MIN_REPLICAS, replicasMin > 0);
    restrictions.set(Restriction.IMPORT, settings.keyspaceOptions().importMode.isOn());
  }

  /** Whether replies are measured, which requires that they are written at once. */
  public boolean weighsReplies() {
    return settings.monitoringOptions().replyLargerThan.value() >= 0 || hotKeys.isOn();
  }

  /** The error of writes while the files that should keep them cannot be written; or null. */
  public @Nullable String fileError() {
    String error = appendOnly.error();
    if (error != null) return "MISCONF Errors writing to the AOF file: " + error;
    if (!persistence.refusesWrites()) return null;
    return "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist"
        + " to disk. Commands that may modify the data set are disabled, because this instance is"
        + " configured to report errors during writes if RDB snapshotting fails"
        + " (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the"
        + " RDB error.";
  }

  // Scripts that take too long

  /** The script that is suspended in the middle of its run, which blocks the data; or null. */
  public @Nullable SuspendedScript suspended() {
    return suspended;
  }

  public void suspended(@Nullable SuspendedScript script) {
    suspended = script;
    keyspace.holdClock(script != null);
    keyspace.log().hold(script != null);
    keyspace.restrictions().set(Restriction.BUSY_SCRIPT, script != null);
    if (script == null) replication.masterStream().wake();
  }

  // Sessions

  /** Closes a session and releases everything that it held. */
  public void close(Session session) {
    if (!clients.remove(session)) return;
    session.endTransaction();
    pubSub.unsubscribeAll(session);
    tracking.stop(session);
    pause.forget(session);
    replication.closed(session);
    if (!clients.monitors().isEmpty()) clients.monitor(session, false);
    BlockedClient blocked = session.blocked();
    if (blocked != null) blockedClients.remove(blocked);
  }

  // Changes

  /**
   * Repairs a gap in the write log after memory ran out: replicas start over with a full sync, and
   * the append only file with a new base.
   */
  public void logHasGap() {
    replication.forceFullSyncs();
    if (appendOnly.isOn()) appendOnly.schedule();
  }

  // The cron

  /** Stops the cron, for tests. */
  public void pauseCron(boolean isPaused) {
    isCronPaused = isPaused;
  }

  /** Whether a test has stopped the cron. */
  public boolean isCronPaused() {
    return isCronPaused;
  }

  /** Whether the cron must leave the data alone at present. */
  public boolean cronRests() {
    return isCronPaused || suspended != null || keyspace.loading().isOn() || shutdown.isEnding();
  }

  // For replication

  @Override
  public boolean isShuttingDown() {
    return shutdown.isOn();
  }

  @Override
  public void shutDown(ShutdownMode mode) {
    shutdown.request(mode);
  }

  @Override
  public boolean isScriptSuspended() {
    return suspended != null;
  }
}
