package dev.kermes.bench;

import java.util.concurrent.CompletionStage;

/** A client library, open, with the few commands that are measured. Any thread. */
interface ClientSubject extends AutoCloseable {

  CompletionStage<String> get(String key);

  CompletionStage<?> set(String key, String value);

  CompletionStage<Long> incr(String key);

  CompletionStage<?> rpush(String key, String value);

  /** Waits for the value in the way that its documentation shows. */
  String getNow(String key);

  /** Sends what it holds back, if it does that. */
  default void flush() {}

  @Override
  void close();
}
