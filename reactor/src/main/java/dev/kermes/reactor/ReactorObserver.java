package dev.kermes.reactor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives a notification of every call of a handler, for metrics, traces and logs; see {@link
 * Reactor#observe}. The methods must not block or throw. Without an observer there is no cost.
 */
@FunctionalInterface
public interface ReactorObserver {

  /** Receives the end of one call of a handler. */
  @FunctionalInterface
  interface Observation {
    /** Called once on the handler's thread, with the exception that the handler threw, or null. */
    void onEnd(@Nullable Throwable failure);
  }

  /** Called on the handler's thread before the handler is called, also for each retry. */
  Observation onStart(Registration handler, Event<?> event);

  /** Called on the handler's thread when it begins to wait before a retry. */
  default void onRetry(Registration handler, Event<?> event, Throwable failure, Duration wait) {}

  /** Called on the emitting thread for an event that did not reach a handler. */
  default void onDropped(String key, DropReason reason) {}

  /**
   * An observer that makes each call of a handler an event {@code dev.kermes.reactor.Handler} of
   * Flight Recorder, by default those that take 10 milliseconds or longer. Failures and dropped
   * events are recorded without it.
   */
  static ReactorObserver flightRecorder() {
    return HandlerRun::start;
  }
}
