package dev.kermes.reactor;

import java.time.Duration;

/**
 * A source of events: a channel of Redis, a stream, a queue. Its delivery guarantee is part of its
 * type, so that the two kinds cannot be confused. {@link Reactor#from} starts it; the reactor stops
 * it in this order:
 *
 * <pre>
 *   pause      the source reads no further event
 *   (wait)     the handlers of events that it delivered end; waits before retries are cut short
 *   flush      acknowledgements arrive
 *   release    another member may take over what this one owns
 *   close      connections are closed
 * </pre>
 */
public sealed interface Source {

  /** Starts to read, and hands each event to {@code inlet}, on threads of the source. */
  Reading start(Inlet inlet);

  /** A source that does not learn whether an event was handled; lost events are not repeated. */
  non-sealed interface BestEffort extends Source {}

  /**
   * A source that repeats each event until it was handled, so perhaps more than once: it
   * acknowledges an event when the future of {@link Inlet#deliver} has completed without a failure.
   */
  non-sealed interface AtLeastOnce extends Source {}

  /** A source that has been started. The methods are called by one thread at a time. */
  interface Reading {

    /** Stops reading: when this returns, no event is delivered until {@link #resume}. */
    void pause();

    /** Reads again after {@link #pause}. */
    void resume();

    /** Waits until acknowledgements that have been sent are stored, at most for this time. */
    default void flush(Duration timeout) {}

    /**
     * Gives up the ownership of what is read.
     *
     * @param unfinished how many events were still with handlers, which have been interrupted but
     *     may not have ended; unless it is 0, ownership should end by itself, by its lease
     */
    default void release(int unfinished) {}

    /** Closes connections and ends threads. */
    void close();

    /** The state of the source: whether it reads, or would if it was not paused. */
    default Health health() {
      return Health.UP;
    }
  }

  /**
   * The state of a source.
   *
   * @param isUp whether events arrive if there are any
   * @param detail a description for people: the last failure, the time of the last successful read
   */
  record Health(boolean isUp, String detail) {
    /** Events arrive. */
    public static final Health UP = new Health(true, "");
  }
}
