package dev.kermes.client.internal.pubsub;

import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The bounded buffer of events that a reader has not taken yet. A {@link SubscriptionEvent.Dropped}
 * marks the place where messages were dropped. Not thread-safe.
 */
final class EventBuffer {
  private final SubscriptionOptions options;
  private final ArrayDeque<SubscriptionEvent> events = new ArrayDeque<>();
  private long droppedFirst;
  private long droppedLast;
  private long dropped;

  EventBuffer(SubscriptionOptions options) {
    this.options = options;
  }

  /** Adds {@code event}; returns false if the buffer is full and the subscription must end. */
  boolean add(SubscriptionEvent event) {
    if (events.size() >= options.bufferMax()) {
      if (options.overflow() == SubscriptionOptions.Overflow.CLOSE) return false;
      boolean isMessage = event instanceof SubscriptionEvent.Message;
      if (isMessage && options.overflow() == SubscriptionOptions.Overflow.DROP_NEWEST) {
        dropped++;
        droppedLast++;
        return true;
      }
      dropOldest();
    }
    closeGap();
    events.add(event);
    return true;
  }

  /** Drops the oldest message, so that state events are kept; or, without one, the oldest event. */
  private void dropOldest() {
    for (Iterator<SubscriptionEvent> i = events.iterator(); i.hasNext(); ) {
      if (i.next() instanceof SubscriptionEvent.Message) {
        i.remove();
        dropped++;
        droppedFirst++;
        return;
      }
    }
    events.poll();
  }

  private void closeGap() {
    if (droppedLast == 0) return;
    events.add(new SubscriptionEvent.Dropped(droppedLast));
    droppedLast = 0;
  }

  /** Appends the last event even if the buffer is full. */
  void addLast(SubscriptionEvent event) {
    closeGap();
    events.add(event);
  }

  @Nullable SubscriptionEvent poll() {
    if (droppedFirst > 0) {
      SubscriptionEvent gap = new SubscriptionEvent.Dropped(droppedFirst);
      droppedFirst = 0;
      return gap;
    }
    if (events.isEmpty()) closeGap();
    return events.poll();
  }

  boolean isEmpty() {
    return events.isEmpty() && droppedFirst == 0 && droppedLast == 0;
  }

  /** The number of messages dropped so far. */
  long dropped() {
    return dropped;
  }
}
