package dev.kermes.bench.events;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A library that keeps events in Redis and hands each to a member, open for one run. */
interface EventLog extends AutoCloseable {

  /** Stores an event; the stage completes when the server has it. */
  CompletionStage<?> append(String key, byte[] payload);

  /**
   * Adds a member, with connections of its own, which calls the handler with the payload of each of
   * its events and acknowledges them.
   */
  void join(Consumer<byte[]> handler);

  /** Waits until the members have divided the work among them. */
  default void settle() throws InterruptedException {}

  @Override
  void close();
}
