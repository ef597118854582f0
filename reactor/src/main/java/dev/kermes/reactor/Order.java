package dev.kermes.reactor;

/** The order in which a handler gets its events, and how many of them in parallel. */
public enum Order {
  /** One event at a time, in the order of emission. */
  SERIAL,
  /** Events of one key one at a time, in the order of emission; different keys in parallel. */
  KEYED,
  /** All events in parallel, in no order. */
  PARALLEL
}
