package dev.kermes.reactor;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All registered handlers, and removed ones that still have events. Any thread. */
final class Registrations implements Iterable<HandlerRegistration<?>> {

  private final Set<HandlerRegistration<?>> all = ConcurrentHashMap.newKeySet();

  /** Events accepted by handlers no longer in the set; guarded by this. */
  private long acceptedBefore;

  void add(HandlerRegistration<?> registration) {
    all.add(registration);
  }

  /** Drops a removed handler that has no events left. */
  synchronized void remove(HandlerRegistration<?> registration) {
    if (all.remove(registration)) acceptedBefore += registration.accepted();
  }

  @Override
  public Iterator<HandlerRegistration<?>> iterator() {
    return all.iterator();
  }

  /** The number of events that wait for handlers or are being handled. */
  int pending() {
    int pending = 0;
    for (HandlerRegistration<?> registration : all) pending += registration.pending();
    return pending;
  }

  /**
   * Whether no event waits or is being handled. Reads one queue after the other, so it also checks
   * that no event was added between the reads.
   */
  boolean isIdle() {
    long before = accepted();
    return pending() == 0 && accepted() == before;
  }

  private synchronized long accepted() {
    long accepted = acceptedBefore;
    for (HandlerRegistration<?> registration : all) accepted += registration.accepted();
    return accepted;
  }
}
