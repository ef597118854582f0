package dev.kermes.server.config;

/** The options for memory: its limits, eviction and active expiry. */
public final class MemoryOptions extends OptionFamily {

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

  /** The same for the three deletions. */
  private static final String LAZY = "Memory is always freed in the background.";

  private static final int MAX = Integer.MAX_VALUE;

  public final NumberOption max =
      option("maxmemory")
          .means("The limit for all memory; 0 for no limit.")
          .unlikeRedis("Writes are refused anyway before the heap of the JVM is full.")
          .memory(0, Long.MAX_VALUE, 0);

  public final ValueOption<EvictionPolicy> policy =
      option("maxmemory-policy")
          .means("The keys that are evicted when `maxmemory` is reached.")
          .choice(
              EvictionPolicy.NAMES,
              EvictionPolicy::named,
              EvictionPolicy::text,
              EvictionPolicy.NO_EVICTION);

  public final NumberOption samples =
      option("maxmemory-samples")
          .means("The number of keys from which eviction chooses one.")
          .number(1, 64, 5);

  public final NumberOption tenacity =
      option("maxmemory-eviction-tenacity")
          .means("The time for which evictions may delay a command: 0 for the least, 100 for any.")
          .number(0, 100, 10);

  /** A negative number is a percentage of {@link #max}. */
  public final NumberOption clientsMax =
      option("maxmemory-clients")
          .means("The limit for the memory of all clients together, or a share of `maxmemory`.")
          .unlikeRedis("With 0, clients may hold half of the heap that the data leave free.")
          .number(new NumberSyntax.MemoryOrPercent(), 0);

  public final NumberOption lfuLogFactor =
      option("lfu-log-factor")
          .means("A larger factor slows the growth of the least-frequently-used counter.")
          .number(0, MAX, 10);

  public final NumberOption lfuDecayMinutes =
      option("lfu-decay-time")
          .in("minutes")
          .means("The time after which the least-frequently-used counter shrinks by one.")
          .number(0, MAX, 1);

  private final NumberOption expireEffort =
      option("active-expire-effort")
          .means("The effort to find and delete expired keys.")
          .number(1, 10, 1);

  public final FlagOption lazyEviction =
      option("lazyfree-lazy-eviction")
          .means("The write log calls the deletion of an evicted key UNLINK instead of DEL.")
          .unlikeRedis(LAZY)
          .yesNo(false);

  public final FlagOption lazyExpiry =
      option("lazyfree-lazy-expire")
          .means("The write log calls the deletion of an expired key UNLINK instead of DEL.")
          .unlikeRedis(LAZY)
          .yesNo(false);

  public final FlagOption lazyReplacing =
      option("lazyfree-lazy-server-del")
          .means("The write log calls deletions as a side effect UNLINK instead of DEL.")
          .unlikeRedis(LAZY)
          .yesNo(false);

  MemoryOptions() {
    super("Memory, eviction and expiry");
  }

  /** The number of hashes whose fields are checked before deciding whether to continue. */
  public int hashesSeen() {
    return 15 + 5 * expireEffort.intValue();
  }

  /**
   * The share of expired keys, of those seen, that does not justify further search: a tenth of
   * Redis's, since checking a key costs about a nanosecond.
   */
  public double staleTolerated() {
    return (11 - expireEffort.intValue()) / 1000.0;
  }

  /**
   * The percentage of a processor that deleting expired keys may take: as in Redis, and more when
   * it falls behind, which corresponds to Redis's fast cycles.
   *
   * @param staleShare the share of expired keys among those seen
   */
  public int expiryPercent(double staleShare) {
    int least = 23 + 2 * expireEffort.intValue();
    double behind = Math.clamp((staleShare - STALE_LEAST) / (STALE_MOST - STALE_LEAST), 0, 1);
    return least + (int) (behind * (EXPIRY_PERCENT_MAX - least));
  }

  /** The number of bytes that {@link #clientsMax} means, 0 for no limit. */
  public long clientsMaxBytes() {
    long limit = clientsMax.value();
    long bytes = limit >= 0 ? limit : max.value() / 100 * -limit;
    return bytes == 0 ? 0 : Math.max(bytes, CLIENTS_MAX_LEAST);
  }
}
