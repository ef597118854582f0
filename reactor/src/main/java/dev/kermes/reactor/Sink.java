package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;

/**
 * A destination of events: a topic, a channel. Its delivery guarantee is part of its type. After
 * {@link Reactor#to} events that are emitted with matching keys go to the sink instead of the
 * handlers; a source brings them, here or in another JVM.
 */
public sealed interface Sink {

  /**
   * Sends a request and returns the answer. The time limit is the deadline in {@code meta}. The
   * future fails with {@link NoHandlerException} if there is no receiver, as it always does for a
   * sink that cannot ask.
   */
  default CompletableFuture<Object> call(String key, Object request, EventMeta meta) {
    return CompletableFuture.failedFuture(new NoHandlerException(key));
  }

  /** A sink that does not learn whether an event arrives. */
  non-sealed interface BestEffort extends Sink {
    /** Sends one event. */
    void emit(String key, Object payload, EventMeta meta);
  }

  /** A sink that keeps each event until it was handled. */
  non-sealed interface AtLeastOnce extends Sink {
    /** Sends one event; the future completes with the event's id when the event is stored. */
    CompletableFuture<String> emit(String key, Object payload, EventMeta meta);
  }
}
