package dev.kermes.reactor;

/** The policy for an event whose handler has a full queue. */
public enum Overflow {
  /**
   * The emitting thread waits. A handler that emits never waits, because it might wait for itself:
   * its events are admitted up to {@value HandlerRegistration#BEYOND} times the bound of the queue,
   * and rejected beyond that.
   */
  WAIT,
  /** {@code emit} throws {@link RejectedEventException}. */
  REJECT,
  /** The event is dropped, and the hook for dropped events is called. */
  DROP
}
