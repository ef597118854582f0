package dev.kermes.reactor;

/** The reason why an event did not reach a handler. */
public enum DropReason {
  /** No pattern matches the key, or no matching handler accepts the type of the payload. */
  NO_HANDLER,
  /** The sink of the key failed. */
  SINK,
  /** The handler's queue was full, and the handler declared {@link Overflow#DROP}. */
  OVERFLOW
}
