package dev.kermes.server.data;

/**
 * A value of the keyspace that is more than a plain string, together with its key: one object where
 * a table of keys and a table of values would need two. (Plain strings are {@link Record}s.)
 */
public abstract class Value extends Keyed {

  /** The expiry time of a key that has none. */
  public static final long NEVER = -1;

  private static final byte[] NO_KEY = {};

  private long expireAtMillis = NEVER;

  /** Seconds of the access clock when last read or written, or the LFU counter; 24 bits. */
  private int access;

  protected Value() {
    super(NO_KEY);
  }

  /** What TYPE replies. */
  public abstract String type();

  /** What OBJECT ENCODING replies: what Redis would use at the configured thresholds. */
  public abstract String encoding();

  /** Elements; a collection that reaches 0 is removed from the keyspace by the command. */
  public abstract long size();

  /** A deep copy without key and expiry. */
  public abstract Value copy();

  public final long expireAtMillis() {
    return expireAtMillis;
  }

  public final void expireAtMillis(long unixMillis) {
    expireAtMillis = unixMillis;
  }

  public final int access() {
    return access;
  }

  public final void access(int clock) {
    access = clock;
  }
}
