package dev.kermes.server.keyspace;

import dev.kermes.server.config.EvictionPolicy;
import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.flight.EvictionRun;
import dev.kermes.server.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes room when more memory is in use than maxmemory allows, by the configured policy.
 *
 * <p>Some keys are drawn at random, and the best candidates of all draws so far wait in a pool; the
 * best of the pool goes first. That comes close to a list of all keys by age, which would cost
 * memory and time for every key. Guarded by the keyspace lock.
 */
public final class Eviction {

  private record Candidate(Database database, byte[] key, long score) {}

  private static final int POOL_MAX = 16;

  /** The longest delay of a command by evictions, with a tenacity of 10, the default. */
  private static final long NANOS_MAX = 500_000;

  /** 10 ms. */
  private static final long EXPIRY_AGAIN_NANOS = 10_000_000;

  private static final int TENACITY_DEFAULT = 10;

  private static final String MAXMEMORY = "'maxmemory'";
  private static final String HEAP =
      "the limit of the heap: delete keys, set 'maxmemory', or give the JVM more with -Xmx";

  /** The error of a command that ran out of memory although it was let in. */
  public static final String OUT_OF_MEMORY = refusal(HEAP);

  private final Keyspace keyspace;
  private final MemoryAccount memory;
  private final ActiveExpiry activeExpiry;
  private final MemoryOptions limits;
  private final List<Candidate> pool = new ArrayList<>();

  /** The time of the next search for expired keys, after one that found none. */
  private long nextExpiryNanos = Long.MIN_VALUE;

  private EvictionPolicy poolPolicy = EvictionPolicy.NO_EVICTION;

  /** Creates an eviction, which does nothing until it is called. */
  public Eviction(Keyspace keyspace, ActiveExpiry activeExpiry) {
    this.keyspace = keyspace;
    this.activeExpiry = activeExpiry;
    memory = keyspace.memory();
    limits = keyspace.settings().memoryOptions();
  }

  /** Whether more memory is in use than allowed; a replica leaves evictions to its master. */
  public boolean isNeeded() {
    if (limits.max.value() == 0 || memory.usedBytes() <= limit()) return false;
    if (keyspace.loading().isUnderWay()) return false;
    boolean ignoresMax = keyspace.settings().replicationOptions().ignoresMaxmemory.isOn();
    return !(keyspace.isReplica() && ignoresMax);
  }

  /** The limit; with a policy, the heap's limit replaces a maxmemory that the heap cannot hold. */
  private long limit() {
    boolean evicts = limits.policy.value() != EvictionPolicy.NO_EVICTION;
    return evicts ? Math.min(limits.max.value(), memory.dataLimit()) : limits.max.value();
  }

  /**
   * Evicts until there is room or the time is up; the rest then follows later. Returns false if
   * there is no room and no key may be evicted. Messages sent to clients because of evictions do
   * not count: otherwise every evicted key would cause the next eviction.
   */
  public boolean makeRoom() {
    if (!isNeeded()) return true;
    expire();
    return !isNeeded() || evict();
  }

  /** Deletes expired keys before any other key is evicted, and before a command is refused. */
  private void expire() {
    long now = Clock.system().nanos();
    boolean isWithinUnit = !keyspace.log().isEmpty();
    if (isWithinUnit || now < nextExpiryNanos) return;
    if (!activeExpiry.look(NANOS_MAX)) nextExpiryNanos = now + EXPIRY_AGAIN_NANOS;
  }

  private boolean evict() {
    EvictionRun recorded = EvictionRun.start();
    if (recorded == null) return evictWithinTime();
    long keys = keyspace.statistics().evictedKeys;
    long bytes = memory.dataBytes();
    boolean hasEvicted = evictWithinTime();
    recorded.finish(keyspace.statistics().evictedKeys - keys, bytes - memory.dataBytes());
    return hasEvicted;
  }

  private boolean evictWithinTime() {
    if (limits.policy.value() == EvictionPolicy.NO_EVICTION || keyspace.keepsDue()) return false;
    Clock clock = Clock.system(); // the budget is processor time, whatever clock the data follow
    long start = clock.nanos();
    long budget =
        limits.tenacity.intValue() == 100
            ? Long.MAX_VALUE
            : NANOS_MAX * limits.tenacity.intValue() / TENACITY_DEFAULT;
    long excess = memory.usedBytes() - limit();
    boolean isOfItsOwn = keyspace.log().isEmpty(); // not within a transaction
    while (excess > 0) {
      long before = memory.dataBytes();
      if (!evictOne()) return false;
      if (isOfItsOwn) keyspace.log().endUnit();
      excess -= before - memory.dataBytes();
      if (clock.nanos() - start > budget) break;
    }
    keyspace.noteLatency("eviction-cycle", clock.nanos() - start);
    return true;
  }

  /**
   * Makes room; if that fails or the heap is full, returns the error for commands that need memory.
   */
  public @Nullable String makeRoomOrRefuse() {
    String exceeded = makeRoomOrExceed();
    return exceeded == null ? null : refusal(exceeded);
  }

  private static String refusal(String exceeded) {
    return "OOM command not allowed when used memory > " + exceeded + ".";
  }

  /** Makes room; if that fails or the heap is full, returns which limit is exceeded. */
  public @Nullable String makeRoomOrExceed() {
    if (isNeeded()) {
      if (makeRoom()) return null;
      return memory.usedBytes() > limits.max.value() ? MAXMEMORY : heapLimit();
    }
    if (!memory.isNearLimit() || !memory.isHeapFull()) return null; // computed only near the limit
    expire();
    return memory.isHeapFull() ? heapLimit() : null;
  }

  private String heapLimit() {
    memory.warnOfRefusals();
    return HEAP;
  }

  private boolean evictOne() {
    Candidate victim = limits.policy.value().isRandom() ? drawOne() : best();
    if (victim == null) return false;
    victim.database().evict(victim.key());
    return true;
  }

  private @Nullable Candidate drawOne() {
    List<Database> databases = keyspace.databases();
    int start = keyspace.random().nextInt(databases.size());
    for (int i = 0; i < databases.size(); i++) {
      Database database = databases.get((start + i) % databases.size());
      Object slot = database.random(!limits.policy.value().isForAllKeys());
      if (slot != null) return new Candidate(database, Database.keyOf(slot), 0);
    }
    return null;
  }

  /** The best candidate that still exists, after drawing some more. */
  private @Nullable Candidate best() {
    if (poolPolicy != limits.policy.value()) pool.clear();
    poolPolicy = limits.policy.value();
    while (true) {
      if (!draw()) return null;
      while (!pool.isEmpty()) {
        Candidate best = pool.removeLast();
        if (best.database().has(best.key(), !limits.policy.value().isForAllKeys())) return best;
      }
    }
  }

  /** Draws keys of every database into the pool; false if there is no key at all. */
  private boolean draw() {
    boolean hasDrawn = false;
    for (Database database : keyspace.databases()) {
      for (int i = 0; i < limits.samples.value(); i++) {
        Object slot = database.random(!limits.policy.value().isForAllKeys());
        if (slot == null) break;
        hasDrawn = true;
        add(new Candidate(database, Database.keyOf(slot), scoreOf(slot)));
      }
    }
    return hasDrawn;
  }

  private void add(Candidate candidate) {
    for (Candidate other : pool) {
      boolean isSame =
          other.database() == candidate.database() && Arrays.equals(other.key(), candidate.key());
      if (isSame) return;
    }
    pool.add(candidate);
    pool.sort(Comparator.comparingLong(Candidate::score));
    if (pool.size() > POOL_MAX) pool.removeFirst();
  }

  /** A key's score; the key with the highest score is evicted first. */
  private long scoreOf(Object slot) {
    if (limits.policy.value() == EvictionPolicy.VOLATILE_TTL) return -Database.expiryOf(slot);
    if (limits.policy.value().isLfu()) return -keyspace.lruClock().frequency(slot);
    return keyspace.lruClock().idleSeconds(slot);
  }
}
