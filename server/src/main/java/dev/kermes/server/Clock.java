package dev.kermes.server;

/**
 * Where the server gets its time: nothing else in it reads the system's clock, so that a test can
 * move expiry, blocking timeouts and idle times.
 */
public interface Clock {

  /** Unix time in milliseconds. */
  long millis();

  /** Monotonic time in nanoseconds from an arbitrary origin. */
  long nanos();

  /** Runs {@code listener} after each jump; a clock that nobody can move needs no listeners. */
  default void onJump(Runnable listener) {}

  /** The machine's own clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** A clock that stands still until it is told to move. */
  static ManualClock manual(long unixMillis) {
    return new ManualClock(unixMillis);
  }
}
