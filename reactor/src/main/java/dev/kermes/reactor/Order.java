package dev.kermes.reactor;

/** In which order a handler gets its events, and how many at once. */
public enum Order {
  /** One after the other, as they were emitted. */
  SERIAL,
  /** Those of one key one after the other, as they were emitted; keys at the same time. */
  KEYED,
  /** All at the same time, in no order. */
  PARALLEL
}
