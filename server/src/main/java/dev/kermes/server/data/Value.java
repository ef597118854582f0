package dev.kermes.server.data;

/**
 * A value of the keyspace that is more than a plain string, together with its key: one object,
 * where a table of keys and a table of values would need two. (Plain strings are {@link Record}s.)
 */
public abstract class Value extends Keyed {

  /** The expiry time of a key that has none. */
  public static final long NEVER = -1;

  /** The {@link #countedAs} of a value that is not counted in any class of sizes. */
  public static final int UNCOUNTED = 255;

  private static final int ACCESS_MASK = 0xffffff;
  private static final int COUNTED_SHIFT = 24;
  private static final byte[] NO_KEY = {};

  private long expireAtMillis = NEVER;

  /**
   * The lower 24 bits are the access clock in seconds at the last read or write, or the LFU
   * counter. The upper 8 are the class of sizes that the value is counted in.
   */
  private int access = UNCOUNTED << COUNTED_SHIFT;

  /** The size known to the memory account, in units of 16 bytes; -1 while in no keyspace. */
  private int accounted = -1;

  protected Value() {
    super(NO_KEY);
  }

  /** The reply of TYPE. */
  public abstract String type();

  /** The reply of OBJECT ENCODING: Redis's encoding at the configured thresholds. */
  public abstract String encoding();

  /** The number of elements; the command removes a collection that reaches 0 from the keyspace. */
  public abstract long size();

  /** A deep copy without key and expiry. */
  public abstract Value copy();

  /** The approximate size of the content on the heap, computed without visiting all of it. */
  public abstract long contentBytes();

  /** The bytes that the memory account has for this value; 0 while it is in no keyspace. */
  public final long accountedBytes() {
    return Math.max(0, accounted) * 16L;
  }

  /** Updates the account of a value in a keyspace; returns the change in bytes. */
  public final long account() {
    if (accounted < 0) return 0;
    int units = (int) Math.min(contentBytes() + 15 >>> 4, Integer.MAX_VALUE);
    int change = units - accounted;
    accounted = units;
    return change * 16L;
  }

  public final boolean isInKeyspace() {
    return accounted >= 0;
  }

  /** Notes that the value has entered or left a keyspace. */
  public final void isInKeyspace(boolean isIn) {
    accounted = isIn ? 0 : -1;
  }

  public final long expireAtMillis() {
    return expireAtMillis;
  }

  public final void expireAtMillis(long unixMillis) {
    expireAtMillis = unixMillis;
  }

  public final int access() {
    return access & ACCESS_MASK;
  }

  public final void access(int clock) {
    access = access & ~ACCESS_MASK | clock & ACCESS_MASK;
  }

  /** The class of sizes that the value is counted in, or {@link #UNCOUNTED}. */
  public final int countedAs() {
    return access >>> COUNTED_SHIFT;
  }

  public final boolean isCounted() {
    return countedAs() != UNCOUNTED;
  }

  public final void countedAs(int sizeClass) {
    access = sizeClass << COUNTED_SHIFT | access & ACCESS_MASK;
  }
}
