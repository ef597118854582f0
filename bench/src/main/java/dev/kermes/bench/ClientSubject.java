package dev.kermes.bench;

import java.util.concurrent.CompletionStage;

/**
 * A client library, open, with the few commands that are measured. What it cannot do throws {@link
 * UnsupportedOperationException}. Any thread.
 */
interface ClientSubject extends AutoCloseable {

  default CompletionStage<String> get(String key) {
    throw new UnsupportedOperationException();
  }

  default CompletionStage<?> set(String key, String value) {
    throw new UnsupportedOperationException();
  }

  default CompletionStage<Long> incr(String key) {
    throw new UnsupportedOperationException();
  }

  default CompletionStage<?> rpush(String key, String value) {
    throw new UnsupportedOperationException();
  }

  /** Waits for the value in the way that its documentation shows. */
  default String getNow(String key) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #getNow}, from the library's cache that the server keeps up to date. */
  default String getCached(String key) {
    throw new UnsupportedOperationException();
  }

  /** Does that many GETs from coroutines, and waits for them. */
  default void coroutineGets(String key, int length, int callers, int operations) {
    Coroutines.stages(() -> get(key), length, callers, operations);
  }

  /** Does that many GETs, {@code underWay} at a time, if it has a way of its own to do it. */
  default boolean gets(String key, int length, int underWay, int operations) throws Exception {
    return false;
  }

  /** Sends what it holds back, if it does that. */
  default void flush() {}

  @Override
  void close();
}
