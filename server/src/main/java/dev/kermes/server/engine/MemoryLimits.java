package dev.kermes.server.engine;

/** How much memory may be used for what, and what goes when it is too much. */
public final class MemoryLimits {

  /** 128 KiB: with less for all clients nobody could repair the mistake. */
  private static final long CLIENTS_MAX_LEAST = 128 * 1024;

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

  /** 1 to 10: how much time goes into finding expired keys. */
  public int expireEffort = 1;

  /** The bytes that {@link #clientsMax} stands for, 0 for no limit. */
  public long clientsMaxBytes() {
    long bytes = clientsMax >= 0 ? clientsMax : max / 100 * -clientsMax;
    return bytes == 0 ? 0 : Math.max(bytes, CLIENTS_MAX_LEAST);
  }
}
