package dev.kermes.events.schedule;

/**
 * The events of a {@link Schedule} whose times passed while no member was there: times that are
 * longer ago than a lease when a member comes.
 */
public enum Missed {
  /** One event for all of them, with the earliest time. */
  ONCE,
  /** No event. */
  SKIP,
  /** An event for each. */
  EACH
}
