package dev.kermes.reactor;

/** What happens to an event for a handler whose queue is full. */
public enum Overflow {
  /**
   * Whoever emits it waits. A handler never does, for it might wait for itself: its events are
   * admitted up to {@value HandlerRegistration#BEYOND} times the queue, and rejected then.
   */
  WAIT,
  /** {@code emit} throws {@link RejectedEventException}. */
  REJECT,
  /** It is dropped, and the hook for dropped events told. */
  DROP
}
