package dev.kermes.bench.client;

import java.util.concurrent.CompletionStage;

/**
 * An open client library with the few commands that are measured. A method that the library does
 * not support throws {@link UnsupportedOperationException}. Any thread.
 */
interface ClientSubject extends AutoCloseable {

  default CompletionStage<String> get(String key) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #get} for a caller that fetches large values, in the way the library offers it. */
  default CompletionStage<String> getLarge(String key) {
    return get(key);
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

  /** Waits for the value in the way that the library's documentation shows. */
  default String getNow(String key) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #getNow}, from the library's cache, which the server keeps up to date. */
  default String getCached(String key) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #getCached}, in the way of the library that costs least for one key. */
  default String getPrepared(String key) {
    return getCached(key);
  }

  /** Executes that number of GETs from coroutines, and waits for them. */
  default void coroutineGets(String key, int length, int callers, int operations) {
    Coroutines.stages(() -> get(key), length, callers, operations);
  }

  /**
   * Executes that number of GETs, {@code underWay} at a time, if the library has a special way to
   * do it.
   */
  default boolean gets(String key, int length, int underWay, int operations) throws Exception {
    return false;
  }

  /** Flushes commands that the library holds back, if it does so. */
  default void flush() {}

  @Override
  void close();
}
