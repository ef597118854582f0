package dev.kermes.server.keyspace;

import dev.kermes.server.config.Settings;
import dev.kermes.server.script.Scripting;
import dev.kermes.server.stats.LatencyMonitor;
import dev.kermes.server.stats.Statistics;
import dev.kermes.server.time.Clock;
import dev.kermes.server.writelog.WriteLog;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The data of one server: its databases and libraries, with the parts that they share. These are
 * the lock, the time of the turn, the write log, the accounts of memory and use, and the facts that
 * decide whether expired keys may be deleted. Guarded by the {@link #lock()}.
 */
public final class Keyspace {

  private final KeyspaceLock lock = new KeyspaceLock();
  private final Clock clock;
  private final RandomGenerator random;
  private final long hashSeed;
  private final Settings settings;
  private final Statistics statistics;
  private final Scripting scripting;
  private final LatencyMonitor latency = new LatencyMonitor();
  private final WriteLog log = new WriteLog();
  private final Restrictions restrictions = new Restrictions();
  private final List<Database> databases = new ArrayList<>();
  private final MemoryAccount memory = new MemoryAccount(this);
  private final Loading loading = new Loading(this);
  private final LruClock lruClock;

  /** Set once, before there are data. */
  @SuppressWarnings("NullAway.Init")
  private KeyspaceListener listener;

  private long nowMillis;
  private boolean isClockHeld;
  private long dirty;
  private boolean isReplaying;
  private boolean isReplica;
  private long pausedUntilMillis;

  /** Creates empty databases; nothing listens to them yet. */
  public Keyspace(
      Clock clock,
      RandomGenerator random,
      Settings settings,
      Statistics statistics,
      Scripting scripting) {
    this.clock = clock;
    this.random = random;
    this.settings = settings;
    this.statistics = statistics;
    this.scripting = scripting;
    hashSeed = random.nextLong();
    nowMillis = clock.millis();
    for (int i = 0; i < settings.keyspaceOptions().databases.intValue(); i++)
      databases.add(new Database(this, i));
    lruClock = new LruClock(this);
  }

  /** Sets the one listener, before any data is there. */
  public void listener(KeyspaceListener only) {
    listener = only;
  }

  KeyspaceListener listener() {
    return listener;
  }

  // The lock and the time

  public KeyspaceLock lock() {
    return lock;
  }

  /** Work that is done with the keyspace lock. */
  @FunctionalInterface
  public interface Work<E extends Exception> {
    void run() throws E;
  }

  /**
   * Does work with the keyspace lock that is not a turn of a client. Within a turn, for instance
   * for DEBUG LOADAOF, the lock is held already.
   */
  public <E extends Exception> void withLock(Work<E> work) throws E {
    if (lock.isMine()) {
      work.run();
      return;
    }
    lock.lock();
    long taken = clock.nanos();
    try {
      work.run();
    } finally {
      lock.unlock(clock.nanos() - taken);
    }
  }

  public Clock clock() {
    return clock;
  }

  /** Unix time of the current turn: all commands of a turn see the same time. */
  public long nowMillis() {
    return nowMillis;
  }

  /** Begins a turn. The caller has just taken the keyspace lock. */
  public void readClock() {
    if (!isClockHeld) nowMillis = clock.millis();
  }

  /** Stops the time of turns while a script is suspended, since a script sees only one time. */
  public void holdClock(boolean isHeld) {
    isClockHeld = isHeld;
  }

  // Parts

  public RandomGenerator random() {
    return random;
  }

  /** 40 random hexadecimal digits, for a replication id or a run id. */
  public String randomId() {
    return String.format("%016x%016x%08x", random.nextLong(), random.nextLong(), random.nextInt());
  }

  public long hashSeed() {
    return hashSeed;
  }

  public Settings settings() {
    return settings;
  }

  public Statistics statistics() {
    return statistics;
  }

  public Scripting scripting() {
    return scripting;
  }

  /** The effects of commands, for files and replicas. */
  public WriteLog log() {
    return log;
  }

  public MemoryAccount memory() {
    return memory;
  }

  public Loading loading() {
    return loading;
  }

  public LruClock lruClock() {
    return lruClock;
  }

  public LatencyMonitor latency() {
    return latency;
  }

  /** Records the duration of an event if it is a latency spike. */
  public void noteLatency(String event, long nanos) {
    long threshold = settings.monitoringOptions().latencyMillis.value();
    long millis = nanos / 1_000_000;
    if (threshold > 0 && millis >= threshold) latency.add(event, nowMillis / 1000, millis);
  }

  /** The reasons why commands cannot simply run. */
  public Restrictions restrictions() {
    return restrictions;
  }

  // Data

  public List<Database> databases() {
    return databases;
  }

  public Database database(int index) {
    return databases.get(index);
  }

  /** Deletes all keys and libraries. */
  public void clear() {
    for (Database database : databases) database.clear();
    scripting.flushLibraries();
    listener.allChanged();
  }

  /** Replaces all keys and libraries. */
  public void replaceData(Dataset fresh) {
    for (Database database : databases) {
      database.takeOver(fresh.databases().get(database.index()));
    }
    scripting.libraries(fresh.libraries());
    listener.allChanged();
  }

  /** Counts changes that are not in the RDB file. */
  public void addDirty(long changes) {
    dirty += changes;
  }

  public long dirty() {
    return dirty;
  }

  // Expiry

  /**
   * Whether expired keys stay and nothing is evicted, because the server may not change data now.
   */
  public boolean keepsDue() {
    return isPaused() || isReplaying || settings.keyspaceOptions().importMode.isOn() || isReplica;
  }

  /** Whether an expiry that a key gets now does not come from the master. */
  boolean ownsExpiries() {
    return isReplica && !isReplaying && !loading.isOn();
  }

  /** Whether the client of the current command sees expired keys, since it imports the data. */
  public boolean seesDue() {
    return isReplaying || settings.keyspaceOptions().importMode.isOn() && listener.isImporting();
  }

  /** Says whether commands of a write log are replayed; the log itself contains the deletions. */
  public void replays(boolean on) {
    isReplaying = on;
  }

  public boolean isReplaying() {
    return isReplaying;
  }

  /** Says whether the data follow those of a master. */
  public void isReplica(boolean on) {
    isReplica = on;
  }

  public boolean isReplica() {
    return isReplica;
  }

  /** Sets the end of the pauses of clients, in Unix time; 0 for no pause. */
  public void pauseUntil(long unixMillis) {
    pausedUntilMillis = unixMillis;
  }

  /** Whether writes of clients are held back. */
  public boolean isPaused() {
    return pausedUntilMillis > nowMillis;
  }
}
