package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the handlers that still have to handle an event. Any thread. */
final class Delivery {

  private final CompletableFuture<Integer> done = new CompletableFuture<>();

  /** Handlers that have not ended, plus one until the emitter has found all of them. */
  private final AtomicInteger left = new AtomicInteger(1);

  private final AtomicInteger all = new AtomicInteger();
  private volatile @Nullable Throwable error;

  void addHandler() {
    all.incrementAndGet();
    left.incrementAndGet();
  }

  void handlerEnded(@Nullable Throwable failure) {
    if (failure != null) error = failure;
    if (left.decrementAndGet() > 0) return;
    Throwable first = error;
    if (first != null) done.completeExceptionally(first);
    else done.complete(all.get());
  }

  /** Completes when all handlers have ended: with their number, or with the last error. */
  CompletableFuture<Integer> done() {
    return done;
  }
}
