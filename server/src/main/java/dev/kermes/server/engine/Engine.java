package dev.kermes.server.engine;

import dev.kermes.commands.CommandTable;
import dev.kermes.server.Clock;
import dev.kermes.server.data.EncodingLimits;
import dev.kermes.server.migrate.TargetConnections;
import dev.kermes.server.script.Scripting;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The state of one server, guarded by the {@link #keyspaceLock()}.
 *
 * <p>Nothing in here does I/O or starts a thread: event loops, scripts and tests drive it alike.
 */
public final class Engine {

  private final KeyspaceLock keyspaceLock = new KeyspaceLock();
  private final Clock clock;
  private final RandomGenerator random;
  private final long hashSeed;
  private final Settings settings;
  private final Statistics statistics;
  private final TargetConnections targets;
  private final List<Database> databases = new ArrayList<>();
  private final PubSub pubSub = new PubSub();
  private final BlockedClients blockedClients = new BlockedClients();
  private final Tracking tracking = new Tracking(this);
  private final Pause pause = new Pause(this);
  private final Scripting scripting;
  private final MemoryAccount memory = new MemoryAccount(this);
  private final CriticalThreads criticalThreads = new CriticalThreads();
  private final Admission admission = new Admission(memory);
  private final Closings closings;
  private final LruClock lruClock;
  private final Eviction eviction;
  private final ActiveExpiry activeExpiry = new ActiveExpiry(this);
  private final Rates rates;
  private final Persistence persistence;
  private final WriteLog log = new WriteLog(this);
  private final Acl acl;
  private final Replication replication;
  private final Shutdown shutdown = new Shutdown(this);
  private final AppendOnly appendOnly;
  private final Loading loading = new Loading(this);
  private final Set<Session> monitors = new LinkedHashSet<>();
  private final CommandLog slowCommands = new CommandLog();
  private final CommandLog largeRequests = new CommandLog();
  private final CommandLog largeReplies = new CommandLog();
  private final LatencyMonitor latency = new LatencyMonitor();
  private final Map<Long, Session> sessions = new LinkedHashMap<>();
  private final String runId;
  private final long startMillis;

  private final List<SnapshotIterator> walks = new ArrayList<>();
  private final List<LoopStatistics> loops = new CopyOnWriteArrayList<>();
  private BooleanSupplier listen = () -> false;
  private BooleanSupplier renewTls = () -> true;
  private long nextSessionId = 1;
  private long nowMillis;
  private long dirty;
  private boolean cronRests;
  private boolean replays;
  private long messageBytesSinceLook;

  private boolean isPlain;
  private @Nullable Session current;
  private @Nullable SuspendedScript suspended;
  private @Nullable HotKeys hotKeys;

  public Engine(Clock clock, RandomGenerator random, Settings settings, CommandTable table) {
    this.clock = clock;
    this.random = random;
    this.settings = settings;
    hashSeed = random.nextLong();
    statistics = new Statistics(table.size());
    closings = new Closings(clock);
    targets = new TargetConnections(clock);
    startMillis = clock.millis();
    nowMillis = startMillis;
    runId = randomId();
    for (int i = 0; i < settings.databases(); i++) databases.add(new Database(this, i));
    scripting = new Scripting(settings.announcedRelease().text(), settings.scriptMemoryBytes());
    lruClock = new LruClock(this);
    eviction = new Eviction(this);
    rates = new Rates(this);
    persistence = new Persistence(this);
    acl = new Acl(this);
    replication = new Replication(this);
    appendOnly = new AppendOnly(this);
    settings.onChange(this::settingsChanged);
    refresh();
  }

  public KeyspaceLock keyspaceLock() {
    return keyspaceLock;
  }

  /** Something that is done with the keyspace lock. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /** Does something with the keyspace lock that is no turn of a client's. */
  public <E extends Exception> void withKeyspaceLock(Work<E> work) throws E {
    keyspaceLock.lock();
    long taken = clock.nanos();
    try {
      work.run();
    } finally {
      keyspaceLock.unlock(clock.nanos() - taken);
    }
  }

  /** Those through snapshots that are under way. */
  List<SnapshotIterator> walks() {
    return walks;
  }

  /** Goes on with what walks are due at the end of a turn; returns what time it is then. */
  public long walk(long nowNanos) {
    long now = nowNanos;
    for (int i = 0; i < walks.size(); i++) now = walks.get(i).help(now);
    return now;
  }

  public Clock clock() {
    return clock;
  }

  public RandomGenerator random() {
    return random;
  }

  public long hashSeed() {
    return hashSeed;
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

  public PubSub pubSub() {
    return pubSub;
  }

  public BlockedClients blockedClients() {
    return blockedClients;
  }

  public MemoryAccount memory() {
    return memory;
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
    return closings;
  }

  public LruClock lruClock() {
    return lruClock;
  }

  public Eviction eviction() {
    return eviction;
  }

  public Rates rates() {
    return rates;
  }

  public Persistence persistence() {
    return persistence;
  }

  public Loading loading() {
    return loading;
  }

  /** The file of what commands did. */
  public AppendOnly appendOnly() {
    return appendOnly;
  }

  /** What commands did, for files and replicas. */
  public WriteLog log() {
    return log;
  }

  /** Who may do what. */
  public Acl acl() {
    return acl;
  }

  public Replication replication() {
    return replication;
  }

  /** How all of it ends. */
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
    return latency;
  }

  /** Notes that something took so long, if that is a latency spike. */
  public void noteLatency(String event, long nanos) {
    long threshold = settings.logLimits().latencyMillis;
    long millis = nanos / 1_000_000;
    if (threshold > 0 && millis >= threshold) latency.add(event, nowMillis / 1000, millis);
  }

  public String runId() {
    return runId;
  }

  /** 40 hexadecimal digits that nobody else has. */
  String randomId() {
    return String.format("%016x%016x%08x", random.nextLong(), random.nextLong(), random.nextInt());
  }

  public long startMillis() {
    return startMillis;
  }

  public List<Database> databases() {
    return databases;
  }

  public Database database(int index) {
    return databases.get(index);
  }

  /** Unix time of the current turn: commands of one turn see one time. */
  public long nowMillis() {
    return nowMillis;
  }

  /** Begins a turn. The caller has just taken the keyspace lock. */
  public void readClock() {
    if (suspended == null) nowMillis = clock.millis(); // a script sees one time, too
  }

  /** The event loops that drive this engine. */
  public List<LoopStatistics> loops() {
    return loops;
  }

  /** How the server listens elsewhere; told while the keyspace lock is held, false if it cannot. */
  public void onListen(BooleanSupplier action) {
    listen = action;
  }

  /** Listens where the settings say now; false if it cannot, and listens nowhere then. */
  public boolean listen() {
    return listen.getAsBoolean();
  }

  /** How the server takes over changed options of TLS; false if it cannot. */
  public void onTls(BooleanSupplier action) {
    renewTls = action;
  }

  /** Takes over options of TLS, for connections to come; false if they are wrong. */
  public boolean renewTls() {
    return renewTls.getAsBoolean();
  }

  // What a command has to see to besides being run

  /** Fast commands are timed one by one only if a limit is below this; they take microseconds. */
  private static final long TIMED_BELOW_MICROS = 1000;

  /** The usual case: nobody watches, and nothing is limited or held back. */
  public boolean isPlain() {
    return isPlain;
  }

  private void settingsChanged() {
    memory.measure(); // clients may have a limit now
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
    boolean isWatched = !monitors.isEmpty() || tracking.isActive() || countsKeys();
    boolean isLimited =
        settings.memoryLimits().max > 0
            || memory.isNearLimit()
            || settings.replicationOptions().replicasMin > 0
            || replication.isReplica();
    isPlain = !timesAll && !weighsAll && !isWatched && !isLimited && pause.isOver();
    isPlain &= suspended == null && !settings.importMode() && !loading.isUnderWay();
    isPlain &= appendOnly.error() == null && !persistence.refusesWrites();
  }

  /** Whether somebody wants to know how long replies are, so that they have to be written whole. */
  public boolean weighsReplies() {
    return settings.logLimits().replyLargerThan >= 0 || countsKeys();
  }

  /** Whose command is being run, while {@link #isPlain()} is false. */
  public @Nullable Session current() {
    return current;
  }

  public void current(@Nullable Session session) {
    current = session;
  }

  /** Sessions that see every command: MONITOR. */
  public Set<Session> monitors() {
    return monitors;
  }

  public void monitor(Session session, boolean on) {
    if (on) monitors.add(session);
    else monitors.remove(session);
    refresh();
  }

  // Hot keys

  /** Which keys take most, or took until that was stopped; null if nobody has asked. */
  public @Nullable HotKeys hotKeys() {
    if (hotKeys != null && hotKeys.endIfDue(nowMillis)) refresh();
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
    current.stop(nowMillis);
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
    refresh();
    if (script == null) replication.wakeStream();
  }

  // Sessions

  public Session open(ClientConnection connection) {
    Session session =
        new Session(
            nextSessionId++,
            connection,
            databases.get(0),
            acl.users().defaultUser(),
            clock.millis());
    session.authenticated(acl.isOpen());
    session.protocol(settings.clientDefaultResp());
    sessions.put(session.id(), session);
    statistics.connectionsReceived++;
    return session;
  }

  /** Forgets a session and all that it held. */
  public void close(Session session) {
    if (sessions.remove(session.id()) == null) return;
    memory.forget(session);
    session.endTransaction();
    pubSub.unsubscribeAll(session);
    tracking.stop(session);
    pause.forget(session);
    replication.closed(session);
    if (!monitors.isEmpty()) monitor(session, false);
    BlockedClient blocked = session.blocked();
    if (blocked != null) blockedClients.remove(blocked);
  }

  /** Measures a client that has read or written, and evicts if all of them take too much now. */
  public void account(Session session) {
    if (!sessions.containsKey(session.id())) return;
    memory.measure(session);
    evictClients();
  }

  /** Measures a client that others send to, if that may be too much; or all, now and then. */
  void hasMessages(Session session, int length) {
    if (settings.memoryLimits().clientsMax != 0) memory.measure(session);
    messageBytesSinceLook += length;
    if (messageBytesSinceLook <= memory.clientStep()) return;
    messageBytesSinceLook = 0;
    lookAtClients();
  }

  /** Measures all clients, and closes some if they hold more than they may. */
  public void lookAtClients() {
    memory.measure();
    evictClients();
  }

  /** Closes the clients that take most, until all together take what maxmemory-clients allows. */
  public void evictClients() {
    long max = settings.memoryLimits().clientsMaxBytes();
    Comparator<Session> largestFirst = Comparator.comparingLong(Session::memoryBytes).reversed();
    if (max > 0 && memory.clientBytes() > max) evictClients(max, largestFirst);
    if (memory.clientBytes() <= memory.clientLimit()) return;
    Comparator<Session> strangersFirst = Comparator.comparing(Session::isAuthenticated);
    evictClients(memory.clientLimit(), strangersFirst.thenComparing(largestFirst));
  }

  private void evictClients(long max, Comparator<Session> order) {
    List<Session> candidates =
        sessions.values().stream()
            .filter(session -> !session.isNoEvict() && !session.isClosing())
            .filter(session -> !session.isMaster() && !session.isReplica())
            .sorted(order)
            .toList();
    for (Session session : candidates) {
      if (memory.clientBytes() <= max) break;
      statistics.evictedClients++;
      closings.warn(session, "clients hold too much: its memory=" + session.memoryBytes());
      session.close();
      memory.forget(session);
    }
  }

  public Collection<Session> sessions() {
    return sessions.values();
  }

  public @Nullable Session session(long id) {
    return sessions.get(id);
  }

  // Changes

  /** Deletes all keys and libraries. */
  public void clear() {
    for (Database database : databases) database.clear();
    scripting.flushLibraries();
    tracking.allChanged();
  }

  /** Has other keys and libraries in the place of all there are. */
  void replaceData(Dataset fresh) {
    for (Database database : databases) {
      database.takeOver(fresh.databases().get(database.index()));
    }
    scripting.libraries(fresh.libraries());
    tracking.allChanged();
  }

  /** Something that would be written to disk has changed. */
  public void addDirty(long changes) {
    dirty += changes;
  }

  public long dirty() {
    return dirty;
  }

  /**
   * Something was done that the write log could not be told for lack of memory: replicas begin
   * again with a copy of all data, and the append only file with a new base.
   */
  public void logHasGap() {
    replication.breakHistory();
    if (appendOnly.isOn()) appendOnly.schedule();
  }

  /** Whether anybody wants to know of new keys. */
  boolean cares(Database database) {
    return !database.blockedClients().isEmpty() || settings.notifyKeyspaceEvents() != 0;
  }

  void keyCreated(Database database, Object slot) {
    blockedClients.markReady(database, Database.keyOf(slot));
    if ((settings.notifyKeyspaceEvents() & KeyspaceEvent.NEW_KEY.bit()) != 0) {
      notify(KeyspaceEvent.NEW_KEY, "new", Database.keyOf(slot), database);
    }
  }

  void markReady(Database database) {
    blockedClients.markAllReady(database);
  }

  /** Publishes a keyspace notification if it is configured. */
  public void notify(KeyspaceEvent event, String name, byte[] key, Database database) {
    int wanted = settings.notifyKeyspaceEvents();
    if ((wanted & event.bit()) == 0) return;
    if ((wanted & KeyspaceEvent.KEYSPACE) != 0) {
      pubSub.publish(channel("__keyspace@", database, key), ascii(name));
    }
    if ((wanted & KeyspaceEvent.KEYEVENT) != 0) {
      pubSub.publish(channel("__keyevent@", database, ascii(name)), key);
    }
  }

  private static byte[] channel(String prefix, Database database, byte[] suffix) {
    byte[] start = ascii(prefix + database.index() + "__:");
    byte[] channel = Arrays.copyOf(start, start.length + suffix.length);
    System.arraycopy(suffix, 0, channel, start.length, suffix.length);
    return channel;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Lets the clock work rest, for tests. */
  public void pauseCron(boolean isResting) {
    cronRests = isResting;
  }

  /** Whether it is to rest for a test. */
  public boolean isCronPaused() {
    return cronRests;
  }

  public boolean cronRests() {
    return cronRests || suspended != null || loading.isOn() || shutdown.isEnding();
  }

  // Expiry

  /** Whether what is due, and what would be evicted, stays where it is: it may change no data. */
  public boolean keepsDue() {
    return pause.isOn() || replays || settings.importMode() || replication.isReplica();
  }

  /** Whether an expiry that a key gets now is none of the master's. */
  boolean ownsExpiries() {
    return replication.isReplica() && !replays && !loading.isOn();
  }

  /** Commands of a write log are run, which says itself what ended when. */
  public void replays(boolean on) {
    replays = on;
  }

  /** Whether the command being run is one of a write log. */
  public boolean isReplaying() {
    return replays;
  }

  /** Whether the client whose command is being run sees what is due, since it imports the data. */
  public boolean seesDue() {
    return replays || settings.importMode() && current != null && current.isImportSource();
  }

  public ActiveExpiry activeExpiry() {
    return activeExpiry;
  }
}
