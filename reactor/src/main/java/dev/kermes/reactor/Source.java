package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;

/**
 * A source of events: a channel of Redis, a stream, a queue. Its delivery guarantee is part of its
 * type, so that the two kinds cannot be confused.
 */
public sealed interface Source {

  /** Starts to emit into {@code reactor}; close the result to stop. */
  AutoCloseable start(Reactor reactor);

  /** A source that does not learn whether an event was handled; lost events are not repeated. */
  non-sealed interface BestEffort extends Source {}

  /**
   * A source that repeats each event until it was handled, so perhaps more than once: it uses
   * {@link Reactor#deliver} and acknowledges an event when that has succeeded.
   */
  non-sealed interface AtLeastOnce extends Source {}

  /** A destination of events: the other direction, with the same two guarantees. */
  sealed interface Sink {

    /** A sink that does not learn whether an event arrives. */
    non-sealed interface BestEffort extends Sink {
      /** Sends one event. */
      void emit(String key, Object payload);
    }

    /** A sink that keeps each event until it was handled. */
    non-sealed interface AtLeastOnce extends Sink {
      /** Sends one event; the future completes with the event's id when the event is stored. */
      CompletableFuture<String> emit(String key, Object payload);
    }
  }
}
