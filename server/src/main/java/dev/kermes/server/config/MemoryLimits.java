package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.memoryOrPercent;
import static dev.kermes.server.config.OptionKinds.number;

/** The options for memory: its limits, eviction and active expiry. */
public final class MemoryLimits {

  /**
   * Three quarters: clients that keep a loop busy wait at most four times as long as without
   * expiry.
   */
  private static final int EXPIRY_PERCENT_MAX = 75;

  /**
   * The share of expired keys, of those seen, above which expiry takes more than its usual time.
   */
  private static final double STALE_LEAST = 0.02;

  /**
   * The share at which expiry takes all the time it may; about a 25th of all keys has expired then.
   */
  private static final double STALE_MOST = 0.08;

  /** 128 KiB: with a lower limit for all clients, no client could correct the option. */
  public static final long CLIENTS_MAX_LEAST = 128 * 1024;

  /** The limit for all memory in bytes, 0 for no limit. */
  public long max;

  public EvictionPolicy policy = EvictionPolicy.NO_EVICTION;

  /** The number of keys sampled to choose one. */
  public int samples = 5;

  /** How long a command may be kept waiting by evictions, 0 to 100. */
  public int tenacity = 10;

  /**
   * The limit for all clients together in bytes; a negative number is a percentage of {@link #max}.
   */
  public long clientsMax;

  /** The limit in bytes for a client's input that is not yet a command. */
  public long queryMax = 1L << 30;

  /** The logarithmic factor that slows the growth of the least-frequently-used counter. */
  public int lfuLogFactor = 10;

  /** Minutes after which the counter is decremented. */
  public int lfuDecayMinutes = 1;

  /** The number of tracked keys above which the server drops some; 0 for no limit. */
  public int trackedKeysMax = 1_000_000;

  /** The effort to find expired keys, 1 to 10 as in Redis. */
  public int expireEffort = 1;

  /** The number of hashes whose fields are checked before deciding whether to continue. */
  public int hashesSeen() {
    return 15 + 5 * expireEffort;
  }

  /**
   * The share of expired keys, of those seen, that does not justify further search: a tenth of
   * Redis's, since checking a key costs about a nanosecond.
   */
  public double staleTolerated() {
    return (11 - expireEffort) / 1000.0;
  }

  /**
   * The percentage of a processor that deleting expired keys may take: as in Redis, and more when
   * it falls behind, which corresponds to Redis's fast cycles.
   *
   * @param staleShare the share of expired keys among those seen
   */
  public int expiryPercent(double staleShare) {
    int least = 23 + 2 * expireEffort;
    double behind = Math.clamp((staleShare - STALE_LEAST) / (STALE_MOST - STALE_LEAST), 0, 1);
    return least + (int) (behind * (EXPIRY_PERCENT_MAX - least));
  }

  /** The number of bytes that {@link #clientsMax} means, 0 for no limit. */
  public long clientsMaxBytes() {
    long bytes = clientsMax >= 0 ? clientsMax : max / 100 * -clientsMax;
    return bytes == 0 ? 0 : Math.max(bytes, CLIENTS_MAX_LEAST);
  }

  /** Declares the options under their names. */
  void declare(OptionTable table) {
    int largest = Integer.MAX_VALUE;
    table.mutable("maxmemory", memory(0, Long.MAX_VALUE, () -> max, v -> max = v));
    table.mutable(
        "maxmemory-policy",
        choice(
            EvictionPolicy.NAMES,
            () -> policy.text(),
            name -> policy = EvictionPolicy.named(name)));
    table.mutable("maxmemory-samples", number(1, 64, () -> samples, v -> samples = (int) v));
    table.mutable(
        "maxmemory-eviction-tenacity", number(0, 100, () -> tenacity, v -> tenacity = (int) v));
    table.mutable("maxmemory-clients", memoryOrPercent(() -> clientsMax, v -> clientsMax = v));
    table.mutable(
        "client-query-buffer-limit",
        memory(1 << 20, Long.MAX_VALUE, () -> queryMax, v -> queryMax = v));
    table.mutable(
        "lfu-log-factor", number(0, largest, () -> lfuLogFactor, v -> lfuLogFactor = (int) v));
    table.mutable(
        "lfu-decay-time",
        number(0, largest, () -> lfuDecayMinutes, v -> lfuDecayMinutes = (int) v));
    table.mutable(
        "tracking-table-max-keys",
        number(0, largest, () -> trackedKeysMax, v -> trackedKeysMax = (int) v));
    table.mutable(
        "active-expire-effort", number(1, 10, () -> expireEffort, v -> expireEffort = (int) v));
  }
}
