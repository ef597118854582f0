package dev.kermes.server.time;

/**
 * The only source of time in the server. Nothing else in it reads the system's clock, so that a
 * test can control expiry, blocking timeouts and idle times.
 */
public interface Clock {

  /** Unix time in milliseconds. */
  long millis();

  /** Monotonic time in nanoseconds from an arbitrary origin. */
  long nanos();

  /** Runs {@code listener} after each jump; a clock that cannot be moved ignores listeners. */
  default void onJump(Runnable listener) {}

  /** Ends the calls of a listener, so that the clock does not keep what has ended. */
  default void offJump(Runnable listener) {}

  /** The machine's own clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** A clock that moves only when a test advances it. */
  static ManualClock manual(long unixMillis) {
    return new ManualClock(unixMillis);
  }
}
