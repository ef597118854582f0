package dev.kermes.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The hooks and observers of a reactor, and what they are told. Any thread. */
final class Hooks {

  private static final System.Logger LOG = System.getLogger(Reactor.class.getName());

  private volatile BiConsumer<? super Event<?>, ? super Throwable> onError = Hooks::logError;
  private volatile Reactor.DroppedHook onDropped = (key, payload, reason) -> {};
  private volatile List<ReactorObserver> observers = List.of();

  /** Whether there are observers: a field of its own, because it is read for every event. */
  private volatile boolean isObserved;

  void onError(BiConsumer<? super Event<?>, ? super Throwable> hook) {
    onError = hook;
  }

  void onDropped(Reactor.DroppedHook hook) {
    onDropped = hook;
  }

  synchronized void add(ReactorObserver observer) {
    List<ReactorObserver> more = new ArrayList<>(observers);
    more.add(observer);
    observers = List.copyOf(more);
    isObserved = true;
  }

  boolean isObserved() {
    return isObserved;
  }

  ReactorObserver.Observation[] onStart(Registration handler, Event<?> event) {
    List<ReactorObserver> all = observers;
    ReactorObserver.Observation[] observations = new ReactorObserver.Observation[all.size()];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = all.get(i).onStart(handler, event);
    }
    return observations;
  }

  void onRetry(Registration handler, Event<?> event, Throwable failure, long nanos) {
    Duration wait = Duration.ofNanos(nanos);
    for (ReactorObserver each : observers) each.onRetry(handler, event, failure, wait);
  }

  void onDropped(String key, Object payload, DropReason reason) {
    EventDropped.record(key, reason);
    for (ReactorObserver each : observers) each.onDropped(key, reason);
    onDropped.dropped(key, payload, reason);
  }

  /** Calls the error hook; an exception of the hook must not stop the worker. */
  void failed(Event<?> event, Throwable error) {
    try {
      onError.accept(event, error);
    } catch (RuntimeException e) {
      logError(event, e);
    }
  }

  private static void logError(Event<?> event, Throwable error) {
    LOG.log(System.Logger.Level.ERROR, "handler failed: key=" + event.key(), error);
  }
}
