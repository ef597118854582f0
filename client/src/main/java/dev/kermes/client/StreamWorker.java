package dev.kermes.client;

import dev.kermes.client.internal.stream.StreamConsumerLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running stream consumer, started by {@link RedisClient#consume}. It ends when it or its client
 * is closed, or with a failure that waiting does not cure, such as a key of another type. Any
 * thread.
 */
public final class StreamWorker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamWorker.class);

  private final StreamConsumerLoop<?, ?> loop;
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final Thread thread;

  private StreamWorker(StreamConsumerLoop<?, ?> loop) {
    this.loop = loop;
    this.thread = Thread.ofVirtual().name("kermes-stream-worker").unstarted(this::run);
  }

  static StreamWorker start(StreamConsumerLoop<?, ?> loop) {
    StreamWorker worker = new StreamWorker(loop);
    worker.thread.start();
    return worker;
  }

  private void run() {
    try {
      loop.run();
      done.complete(null);
    } catch (Throwable e) {
      LOG.warn("stream consumer ended: {}", loop, e);
      done.completeExceptionally(e);
    }
  }

  /**
   * Completes when the last entry has been handled; fails with the failure that ended the consumer.
   */
  public CompletionStage<@Nullable Void> done() {
    return done.copy();
  }

  /** Lets the handler finish the entry that it has and begins none after it. Does not wait. */
  public void stop() {
    loop.stop();
  }

  /**
   * As {@link #stop}, and waits until the handler has finished, unless the handler itself calls; an
   * interrupt ends the waiting.
   */
  @Override
  public void close() {
    stop();
    if (Thread.currentThread() == thread) return;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
