package dev.kermes.events;

/** A report about an event in this JVM, of which the server has to learn. */
sealed interface Outcome {

  Entry entry();

  /** An event of an earlier owner is about to begin; it waits until its start is counted. */
  record Starting(Entry entry) implements Outcome {}

  /** All handlers have succeeded, or there is nothing to handle. */
  record Done(Entry entry) implements Outcome {}

  /**
   * Handlers have failed, and their own retries are exhausted. The event holds its key until it is
   * parked.
   */
  record Failed(Entry entry, Failure failure) implements Outcome {}

  /** No later attempt makes sense. */
  record Dead(Entry entry, Failure failure) implements Outcome {}

  /**
   * Why an event was not handled.
   *
   * @param handlers the names of the handlers that failed, one per line; empty if it is not about
   *     handlers
   * @param attempts the number of calls of the handler that failed first
   */
  record Failure(String cause, String handlers, int attempts) {}
}
