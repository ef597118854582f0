package dev.kermes.reactor;

/** Why an event did not get to a handler. */
public enum DropReason {
  /** No pattern matches its key, or no handler there wants its payload. */
  NO_HANDLER,
  /** The handler's queue was full, and {@link Overflow#DROP} declared for it. */
  OVERFLOW
}
