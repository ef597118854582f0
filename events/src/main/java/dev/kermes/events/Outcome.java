package dev.kermes.events;

/** The end of an event in this JVM, which the server has to learn. */
sealed interface Outcome {

  StreamId id();

  /** All handlers have succeeded, or there is nothing to handle. */
  record Done(StreamId id) implements Outcome {}

  /**
   * No later attempt makes sense.
   *
   * @param handlers the names of the handlers that failed, one per line; empty if it is not about
   *     handlers
   * @param attempts the number of calls of the handler that failed first
   */
  record Dead(StreamId id, String cause, String handlers, int attempts) implements Outcome {}
}
