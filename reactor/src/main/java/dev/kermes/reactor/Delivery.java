package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the handlers that an event still has to go through. Any thread. */
final class Delivery {

  private final CompletableFuture<Integer> done = new CompletableFuture<>();

  /** One more than handlers, until all of them are known. */
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

  /** With the number of handlers, when all have ended; with the last error if there was one. */
  CompletableFuture<Integer> done() {
    return done;
  }
}
