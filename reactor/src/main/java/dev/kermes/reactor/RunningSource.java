package dev.kermes.reactor;

import java.time.Duration;

/** A source that {@link Reactor#from} has started. Any thread. */
public final class RunningSource implements AutoCloseable {

  /** 10 seconds: how long {@link #close} waits for handlers. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** 1 second: acknowledgements get this time even if the handlers took all the time there was. */
  private static final Duration FLUSH_MIN = Duration.ofSeconds(1);

  private final Reactor reactor;
  private final Inlet inlet;
  private final Source.Reading reading;
  private boolean isStopped;

  RunningSource(Reactor reactor, Source source) {
    this.reactor = reactor;
    inlet = new Inlet(reactor);
    reading = source.start(inlet);
  }

  /** Stops reading; events that have been delivered are still handled and acknowledged. */
  public synchronized void pause() {
    if (!isStopped) reading.pause();
  }

  /** Reads again. */
  public synchronized void resume() {
    if (!isStopped) reading.resume();
  }

  /** The number of events that have been delivered and are still with handlers. */
  public int inFlight() {
    return inlet.inFlight();
  }

  /** Waits until no event is with a handler; false if the timeout expires before. */
  public boolean awaitIdle(Duration timeout) {
    return inlet.awaitIdle(timeout);
  }

  /** The state of the source. */
  public Source.Health health() {
    return reading.health();
  }

  /**
   * Stops the source: no further event is read, the handlers end, acknowledgements are flushed,
   * ownership is released, connections are closed. Handlers that run when the timeout expires are
   * interrupted, and those that have not begun are skipped; their events are not acknowledged.
   *
   * @return the number of those events; 0 also if the source has been stopped before
   */
  public synchronized int stop(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    pause();
    return finish(deadline);
  }

  /** Cuts short the waits before retries. */
  void endRetries() {
    inlet.endRetries();
  }

  /** The steps after reading has been stopped. */
  synchronized int finish(long deadlineNanos) {
    if (isStopped) return 0;
    isStopped = true;
    endRetries();
    boolean isIdle = inlet.awaitIdle(left(deadlineNanos));
    int unfinished = isIdle ? 0 : inlet.inFlight();
    if (unfinished > 0) inlet.cancelAll();
    try {
      Duration left = left(deadlineNanos);
      reading.flush(left.compareTo(FLUSH_MIN) < 0 ? FLUSH_MIN : left);
      reading.release(unfinished);
    } finally {
      reactor.forget(this);
      reading.close();
    }
    return unfinished;
  }

  private static Duration left(long deadlineNanos) {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  /** Stops the source and gives handlers 10 seconds. */
  @Override
  public void close() {
    int unused = stop(CLOSE_TIMEOUT);
  }
}
