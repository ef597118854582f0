package dev.kermes.server.config;

import static dev.kermes.server.config.OptionKinds.choice;
import static dev.kermes.server.config.OptionKinds.memory;
import static dev.kermes.server.config.OptionKinds.memoryOrPercent;
import static dev.kermes.server.config.OptionKinds.number;

/** The options of memory: its limits, eviction and active expiry. */
public final class MemoryLimits {

  /** Three quarters: clients that keep a loop busy wait at most four times as long as without. */
  private static final int EXPIRY_PERCENT_MAX = 75;

  /** From this part of due keys on, of those looked at, expiry takes more time than its usual. */
  private static final double STALE_LEAST = 0.02;

  /** From this part on it takes all that it may: about a 25th of all keys is due then. */
  private static final double STALE_MOST = 0.08;

  /** 128 KiB: with less for all clients no client could correct the option. */
  public static final long CLIENTS_MAX_LEAST = 128 * 1024;

  /** Bytes of everything, 0 for no limit. */
  public long max;

  public EvictionPolicy policy = EvictionPolicy.NO_EVICTION;

  /** Keys that are looked at to choose one. */
  public int samples = 5;

  /** How long a command may be kept waiting by evictions, 0 to 100. */
  public int tenacity = 10;

  /** Bytes of all clients together; a negative number is a percentage of {@link #max}. */
  public long clientsMax;

  /** Bytes of input that are not yet a command. */
  public long queryMax = 1L << 30;

  /** How slowly the counter of least frequent use grows. */
  public int lfuLogFactor = 10;

  /** Minutes after which the counter is decremented. */
  public int lfuDecayMinutes = 1;

  /** Keys that clients may have in their caches before the server forgets some; 0 for no limit. */
  public int trackedKeysMax = 1_000_000;

  /** 1 to 10: how much time goes into finding expired keys, as Redis has it. */
  public int expireEffort = 1;

  /** Hashes whose fields are looked at before it is decided whether there is more to delete. */
  public int hashesSeen() {
    return 15 + 5 * expireEffort;
  }

  /**
   * The share of the keys seen that may be due without a reason to look at more: a tenth of
   * Redis's, since a look at a key costs about a nanosecond.
   */
  public double staleTolerated() {
    return (11 - expireEffort) / 1000.0;
  }

  /**
   * The part of a processor, in percent, that deleting what is due may take: as in Redis, and more
   * when it falls behind, which in Redis are the fast cycles.
   *
   * @param staleShare the part of what is looked at that is due
   */
  public int expiryPercent(double staleShare) {
    int least = 23 + 2 * expireEffort;
    double behind = Math.clamp((staleShare - STALE_LEAST) / (STALE_MOST - STALE_LEAST), 0, 1);
    return least + (int) (behind * (EXPIRY_PERCENT_MAX - least));
  }

  /** The bytes that {@link #clientsMax} stands for, 0 for no limit. */
  public long clientsMaxBytes() {
    long bytes = clientsMax >= 0 ? clientsMax : max / 100 * -clientsMax;
    return bytes == 0 ? 0 : Math.max(bytes, CLIENTS_MAX_LEAST);
  }

  /** The options under their names. */
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
