package dev.kermes.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The observers of a reactor. Any thread. */
final class Observers {

  private volatile List<ReactorObserver> all = List.of();

  synchronized void add(ReactorObserver observer) {
    List<ReactorObserver> more = new ArrayList<>(all);
    more.add(observer);
    all = List.copyOf(more);
  }

  ReactorObserver.Observation[] onStart(Registration handler, Event<?> event) {
    List<ReactorObserver> observers = all;
    ReactorObserver.Observation[] observations = new ReactorObserver.Observation[observers.size()];
    for (int i = 0; i < observations.length; i++) {
      observations[i] = observers.get(i).onStart(handler, event);
    }
    return observations;
  }

  void onRetry(Registration handler, Event<?> event, Throwable failure, long nanos) {
    Duration wait = Duration.ofNanos(nanos);
    for (ReactorObserver each : all) each.onRetry(handler, event, failure, wait);
  }

  void onDropped(String key, DropReason reason) {
    for (ReactorObserver each : all) each.onDropped(key, reason);
  }
}
