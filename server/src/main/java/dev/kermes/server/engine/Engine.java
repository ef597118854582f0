package dev.kermes.server.engine;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.Clock;
import dev.kermes.server.acl.Users;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.migrate.TargetConnections;
import dev.kermes.server.script.Scripting;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one server, built once and connected with each other. Commands and event loops reach
 * the parts through it; the parts themselves do not know it. Guarded by the {@link
 * #keyspaceLock()}.
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
  private final CommandLog slowCommands = new CommandLog();
  private final CommandLog largeRequests = new CommandLog();
  private final CommandLog largeReplies = new CommandLog();
  private final List<LoopStatistics> loops = new CopyOnWriteArrayList<>();
  private final String runId;
  private final long startMillis;

  private BooleanSupplier listen = () -> false;
  private BooleanSupplier renewTls = () -> true;
  private boolean isCronPaused;
  private boolean isPlain;
  private @Nullable SuspendedScript suspended;
  private @Nullable HotKeys hotKeys;

  /** Builds a server without data; it neither listens nor has read any file. */
  public Engine(Clock clock, RandomGenerator random, Settings settings, CommandTable table) {
    this.settings = settings;
    statistics = new Statistics(table.size());
    scripting = new Scripting(settings.announcedRelease().text(), settings.scriptMemoryBytes());
    keyspace = new Keyspace(clock, random, settings, statistics, scripting);
    startMillis = keyspace.nowMillis();
    runId = keyspace.randomId();
    activeExpiry = new ActiveExpiry(keyspace, this::cronRests);
    eviction = new Eviction(keyspace, activeExpiry);
    admission = new Admission(keyspace.memory());
    // Rules name commands by their own names, whatever rename-command says.
    AclOptions access = settings.accessOptions();
    clients =
        new Clients(
            keyspace, new Users(CommandTable.standard(), () -> access.allChannelsByDefault));
    tracking = new Tracking(keyspace, clients);
    pause = new Pause(keyspace);
    notifications =
        new KeyspaceNotifications(
            settings, clients, blockedClients, tracking, pubSub, this::refresh);
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
    settings.onChange(this::settingsChanged);
    refresh();
  }

  // Parts

  public Keyspace keyspace() {
    return keyspace;
  }

  public KeyspaceLock keyspaceLock() {
    return keyspace.lock();
  }

  /** Does work with the keyspace lock that is not a turn of a client. */
  public <E extends Exception> void withKeyspaceLock(Keyspace.Work<E> work) throws E {
    keyspace.withLock(work);
  }

  /** Continues the snapshots that are due at the end of a turn; returns the time afterwards. */
  public long walk(long nowNanos) {
    return snapshots.walk(nowNanos);
  }

  public Clock clock() {
    return keyspace.clock();
  }

  public RandomGenerator random() {
    return keyspace.random();
  }

  public long hashSeed() {
    return keyspace.hashSeed();
  }

  public Settings settings() {
    return settings;
  }

  public EncodingLimits encodingLimits() {
    return settings.encodingLimits();
  }

  public Statistics statistics() {
    return statistics;
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

  public MemoryAccount memory() {
    return keyspace.memory();
  }

  public CriticalThreads criticalThreads() {
    return criticalThreads;
  }

  /** How many connections the heap has room for. */
  public Admission admission() {
    return admission;
  }

  /** The log of clients that had to be closed. */
  public Closings closings() {
    return clients.closings();
  }

  public LruClock lruClock() {
    return keyspace.lruClock();
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

  public Loading loading() {
    return keyspace.loading();
  }

  /** The append only file. */
  public AppendOnly appendOnly() {
    return appendOnly;
  }

  /** The effects of commands, for files and replicas. */
  public WriteLog log() {
    return keyspace.log();
  }

  /** The users and their rights. */
  public Acl acl() {
    return acl;
  }

  public Replication replication() {
    return replication;
  }

  /** The end of the server. */
  public Shutdown shutdown() {
    return shutdown;
  }

  public Scripting scripting() {
    return scripting;
  }

  /** Connections to servers that keys are moved to. */
  public TargetConnections targets() {
    return targets;
  }

  public Tracking tracking() {
    return tracking;
  }

  public Pause pause() {
    return pause;
  }

  /** Commands that took long. */
  public CommandLog slowCommands() {
    return slowCommands;
  }

  /** Commands with long arguments. */
  public CommandLog largeRequests() {
    return largeRequests;
  }

  /** Commands with a long reply. */
  public CommandLog largeReplies() {
    return largeReplies;
  }

  public LatencyMonitor latency() {
    return keyspace.latency();
  }

  /** Records the duration of an event if it is a latency spike. */
  public void noteLatency(String event, long nanos) {
    keyspace.noteLatency(event, nanos);
  }

  public String runId() {
    return runId;
  }

  public long startMillis() {
    return startMillis;
  }

  public List<Database> databases() {
    return keyspace.databases();
  }

  public Database database(int index) {
    return keyspace.database(index);
  }

  /** Unix time of the current turn: all commands of a turn see the same time. */
  public long nowMillis() {
    return keyspace.nowMillis();
  }

  /** Begins a turn. The caller has just taken the keyspace lock. */
  public void readClock() {
    keyspace.readClock();
  }

  /** The event loops that run the commands. */
  public List<LoopStatistics> loops() {
    return loops;
  }

  /** Sets how the server listens elsewhere, with the keyspace lock; false if it cannot. */
  public void onListen(BooleanSupplier action) {
    listen = action;
  }

  /** Listens where the settings say now; false if it cannot, and listens nowhere then. */
  public boolean listen() {
    return listen.getAsBoolean();
  }

  /** Sets how the server takes over changed options of TLS; false if it cannot. */
  public void onTls(BooleanSupplier action) {
    renewTls = action;
  }

  /** Takes over options of TLS, for connections to come; false if they are wrong. */
  public boolean renewTls() {
    return renewTls.getAsBoolean();
  }

  // What a command has to check besides being run

  /** Fast commands are timed one by one only if a limit is below this; they take microseconds. */
  private static final long TIMED_BELOW_MICROS = 1000;

  /** The usual case: no client watches all commands, and nothing is limited or held back. */
  public boolean isPlain() {
    return isPlain;
  }

  private void settingsChanged() {
    clients.measure(); // they may have a limit now
    acl.settingsChanged();
    refresh();
  }

  /** To be called when something has changed that {@link #isPlain()} depends on. */
  public void refresh() {
    LogLimits logs = settings.logLimits();
    boolean timesAll =
        logs.slowerThanMicros >= 0 && logs.slowerThanMicros < TIMED_BELOW_MICROS
            || logs.latencyMillis > 0;
    boolean weighsAll = logs.requestLargerThan >= 0 || logs.replyLargerThan >= 0;
    boolean isWatched = !clients.monitors().isEmpty() || tracking.isActive() || countsKeys();
    boolean isLimited =
        settings.memoryLimits().max > 0
            || keyspace.memory().isNearLimit()
            || settings.replicationOptions().replicasMin > 0
            || replication.isReplica();
    isPlain = !timesAll && !weighsAll && !isWatched && !isLimited && pause.isOver();
    isPlain &= suspended == null && !settings.importMode() && !keyspace.loading().isUnderWay();
    isPlain &= appendOnly.error() == null && !persistence.refusesWrites();
  }

  /** Whether the length of replies is counted, so that they have to be written whole. */
  public boolean weighsReplies() {
    return settings.logLimits().replyLargerThan >= 0 || countsKeys();
  }

  /** The client whose command is being run, while {@link #isPlain()} is false; or null. */
  public @Nullable Session current() {
    return clients.current();
  }

  public void current(@Nullable Session session) {
    clients.current(session);
  }

  /** Sessions that see every command: MONITOR. */
  public Set<Session> monitors() {
    return clients.monitors();
  }

  public void monitor(Session session, boolean on) {
    clients.monitor(session, on);
  }

  // Hot keys

  /** The keys that take most, or took until that was stopped; null if no client has asked. */
  public @Nullable HotKeys hotKeys() {
    if (hotKeys != null && hotKeys.endIfDue(keyspace.nowMillis())) refresh();
    return hotKeys;
  }

  public void hotKeys(@Nullable HotKeys fresh) {
    hotKeys = fresh;
    refresh();
  }

  /** Looks no longer at keys; whether it did. */
  public boolean stopHotKeys() {
    HotKeys current = hotKeys();
    if (current == null || !current.isActive()) return false;
    current.stop(keyspace.nowMillis());
    refresh();
    return true;
  }

  private boolean countsKeys() {
    return hotKeys != null && hotKeys.isActive();
  }

  // Scripts that take too long

  /** A script that is in the middle of its run, so that the data are not for others; or null. */
  public @Nullable SuspendedScript suspended() {
    return suspended;
  }

  public void suspended(@Nullable SuspendedScript script) {
    suspended = script;
    keyspace.holdClock(script != null);
    keyspace.log().hold(script != null);
    refresh();
    if (script == null) replication.wakeStream();
  }

  // Sessions

  /** Opens the session of a new connection. */
  public Session open(ClientConnection connection) {
    return clients.open(connection);
  }

  /** Forgets a session and all that it held. */
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

  public Collection<Session> sessions() {
    return clients.sessions();
  }

  public @Nullable Session session(long id) {
    return clients.session(id);
  }

  // Changes

  /** Deletes all keys and libraries. */
  public void clear() {
    keyspace.clear();
  }

  /** Counts changes that are not in the RDB file. */
  public void addDirty(long changes) {
    keyspace.addDirty(changes);
  }

  public long dirty() {
    return keyspace.dirty();
  }

  /**
   * Makes up for a change that the write log was not told of, for lack of memory: replicas begin
   * again with a full sync, and the append only file with a new base.
   */
  public void logHasGap() {
    replication.breakHistory();
    if (appendOnly.isOn()) appendOnly.schedule();
  }

  /** Publishes a keyspace notification if it is configured. */
  public void notify(KeyspaceEvent event, String name, byte[] key, Database database) {
    notifications.notify(event, name, key, database);
  }

  // The cron

  /** Stops the cron, for tests. */
  public void pauseCron(boolean isPaused) {
    isCronPaused = isPaused;
  }

  /** Whether a test has stopped it. */
  public boolean isCronPaused() {
    return isCronPaused;
  }

  /** Whether the cron has to leave the data alone at present. */
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

  // Expiry

  /** Whether expired keys stay, and nothing is evicted, as the server may not change data now. */
  public boolean keepsDue() {
    return keyspace.keepsDue();
  }

  /** Says whether commands of a write log are run; the log itself says what has expired. */
  public void replays(boolean on) {
    keyspace.replays(on);
  }

  /** Whether the command being run is one of a write log. */
  public boolean isReplaying() {
    return keyspace.isReplaying();
  }

  /** Whether the client of the current command sees expired keys, since it imports the data. */
  public boolean seesDue() {
    return keyspace.seesDue();
  }
}
