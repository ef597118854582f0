package dev.kermes.server.keyspace;

import dev.kermes.server.config.MemoryOptions;
import dev.kermes.server.data.Record;
import dev.kermes.server.data.Value;

/**
 * The 24 bits per key that tell how it has been used.
 *
 * <pre>
 *   LRU, LRM  |seconds: 24|               when it was last used, or changed
 *   LFU       |minutes: 16|counter: 8|    when the counter was last brought up to date, and the counter
 * </pre>
 *
 * The counter grows more slowly the higher it is, and shrinks by one for every lfu-decay-time.
 * Guarded by the keyspace lock.
 */
public final class LruClock {

  /** The counter of a new key, high enough that it is not evicted at once. */
  private static final int LFU_INITIAL = 5;

  private static final int SECONDS_MASK = 0xffffff;
  private static final int MINUTES_MASK = 0xffff;
  private static final int COUNTER_MAX = 255;

  private final Keyspace keyspace;
  private final MemoryOptions limits;

  LruClock(Keyspace keyspace) {
    this.keyspace = keyspace;
    limits = keyspace.settings().memoryOptions();
  }

  /** The bits of a new key. */
  public int fresh() {
    return limits.policy.value().isLfu() ? minutes() << 8 | LFU_INITIAL : seconds();
  }

  /** Notes that a key is read. */
  public void read(Object slot) {
    if (!limits.policy.value().isLrm()) written(slot);
  }

  /** Notes that a key is about to be changed. */
  public void written(Object slot) {
    int bits = limits.policy.value().isLfu() ? counted(bitsOf(slot)) : seconds();
    if (slot instanceof Record record) {
      if (record.access() != bits) record.access(bits);
    } else {
      ((Value) slot).access(bits);
    }
  }

  /** Seconds since a key was last used. */
  public int idleSeconds(Object slot) {
    return (seconds() - bitsOf(slot)) & SECONDS_MASK;
  }

  /** The frequency of use, 0 to 255 on a scale that grows more slowly the higher it is. */
  public int frequency(Object slot) {
    return decayed(bitsOf(slot));
  }

  /** Sets a key's history as far as the policy needs it; -1 stands for an unknown one. */
  public void set(Object slot, long idleSeconds, int frequency) {
    int bits = fresh();
    if (limits.policy.value().isLfu() && frequency >= 0) bits = minutes() << 8 | frequency;
    else if (!limits.policy.value().isLfu() && idleSeconds >= 0)
      bits = seconds() - (int) idleSeconds;
    if (slot instanceof Record record) record.access(bits);
    else ((Value) slot).access(bits);
  }

  /** The bits that a key has now. */
  public static int bitsOf(Object slot) {
    return slot instanceof Record record ? record.access() : ((Value) slot).access();
  }

  public int seconds() {
    return (int) (keyspace.nowMillis() / 1000) & SECONDS_MASK;
  }

  private int minutes() {
    return (int) (keyspace.nowMillis() / 60_000) & MINUTES_MASK;
  }

  private int decayed(int bits) {
    int counter = bits & COUNTER_MAX;
    if (limits.lfuDecayMinutes.intValue() == 0) return counter;
    int elapsed = minutes() - (bits >>> 8) & MINUTES_MASK;
    return Math.max(0, counter - elapsed / limits.lfuDecayMinutes.intValue());
  }

  private int counted(int bits) {
    int counter = decayed(bits);
    double chance =
        1.0 / (Math.max(0, counter - LFU_INITIAL) * (double) limits.lfuLogFactor.value() + 1);
    if (counter < COUNTER_MAX && keyspace.random().nextDouble() < chance) counter++;
    return minutes() << 8 | counter;
  }
}
