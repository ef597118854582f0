package dev.kermes.server.keyspace;

/**
 * The restrictions of all clients of a server. While there are none, and the client has none of its
 * own, its command runs without any further check. Guarded by the keyspace lock.
 */
public final class Restrictions {

  /** Those that want to know about each command that runs, or how long it took. */
  private static final int OBSERVERS =
      Restriction.union(
          Restriction.MONITOR,
          Restriction.TRACKING,
          Restriction.HOT_KEYS,
          Restriction.TIMES,
          Restriction.SIZES,
          Restriction.CLUSTER);

  private int bits;

  Restrictions() {}

  /** Sets or clears a restriction; for the class that knows the fact. */
  public void set(Restriction restriction, boolean isOn) {
    bits = restriction.in(bits, isOn);
  }

  public boolean isEmpty() {
    return bits == 0;
  }

  /** Whether each command is reported and timed. */
  public boolean haveObserver() {
    return (bits & OBSERVERS) != 0;
  }
}
