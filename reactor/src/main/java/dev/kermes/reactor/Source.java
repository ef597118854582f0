package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;

/**
 * Where events come from: a channel of Redis, a stream, a queue. What it can promise is in its
 * type, so that nobody takes one for the other.
 */
public sealed interface Source {

  /** Begins to emit into {@code reactor}; closing what it returns ends that. */
  AutoCloseable start(Reactor reactor);

  /** What is lost is lost: nobody hears whether an event was handled. */
  non-sealed interface BestEffort extends Source {}

  /**
   * Each event comes until it was handled, so perhaps more than once: it uses {@link
   * Reactor#deliver} and acknowledges when that has succeeded.
   */
  non-sealed interface AtLeastOnce extends Source {}

  /** Where events go to: the other direction, with the same two promises. */
  sealed interface Sink {

    /** Sends without knowing whether it arrives. */
    non-sealed interface BestEffort extends Sink {
      /** Sends one event. */
      void emit(String key, Object payload);
    }

    /** Keeps what it took until it was handled. */
    non-sealed interface AtLeastOnce extends Sink {
      /** Sends one event; done, with its id, when it is safe. */
      CompletableFuture<String> emit(String key, Object payload);
    }
  }
}
