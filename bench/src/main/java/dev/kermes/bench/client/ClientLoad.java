package dev.kermes.bench.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A workload for a client. Each kind ends when all its replies have arrived, or throws. */
interface ClientLoad {

  /** Runs the workload with {@code operations} commands in total. */
  void run(ClientSubject client, int operations) throws Exception;

  /**
   * Callers that each send the next GET when the previous value has arrived; none of them has a
   * thread.
   */
  static ClientLoad asyncCallers(int callers, String key, int length) {
    return (client, operations) -> {
      if (client.gets(key, length, callers, operations)) return;
      chains(callers, operations, () -> client.get(key).thenAccept(v -> check(v, length)));
    };
  }

  /** As {@link #asyncCallers}, while one more caller gets large values. */
  static ClientLoad withLargeReplies(int callers, String key, int length, String large) {
    ClientLoad small = asyncCallers(callers, key, length);
    return (client, operations) -> {
      AtomicBoolean goesOn = new AtomicBoolean(true);
      CompletableFuture<Void> end = new CompletableFuture<>();
      nextLarge(client, large, goesOn, end);
      small.run(client, operations);
      goesOn.set(false);
      end.join();
    };
  }

  private static void nextLarge(
      ClientSubject client, String key, AtomicBoolean goesOn, CompletableFuture<Void> end) {
    var unused =
        client
            .getLarge(key)
            .whenComplete((value, failure) -> {
              if (failure != null) end.completeExceptionally(failure);
              else if (goesOn.get()) nextLarge(client, key, goesOn, end);
              else end.complete(null);
            });
  }

  /** INCR, then SET and RPUSH with its result; three commands each. */
  static ClientLoad dependencies(int chains) {
    return (client, operations) ->
        chains(
            chains,
            operations / 3,
            () ->
                client
                    .incr("bench:id")
                    .thenCompose(id -> {
                      CompletionStage<?> set = client.set("bench:user:" + id % 1000, "name");
                      return set.thenCombine(
                          client.rpush("bench:users:" + id % 1000, "x"), (a, b) -> a);
                    }));
  }

  /** One round of a chain. */
  interface Turn {
    CompletionStage<?> begin();
  }

  private static void chains(int count, int turns, Turn turn) throws Exception {
    Chains chains = new Chains(count, turns, turn);
    for (int i = 0; i < count; i++) chains.next();
    chains.await();
  }

  /** Rounds that follow one another, several chains at a time. */
  final class Chains {
    private final Turn turn;
    private final AtomicInteger left;
    private final CountDownLatch running;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Chains(int count, int turns, Turn turn) {
      this.turn = turn;
      this.left = new AtomicInteger(turns);
      this.running = new CountDownLatch(count);
    }

    void next() {
      if (left.getAndDecrement() <= 0 || failure.get() != null) {
        running.countDown();
        return;
      }
      turn.begin()
          .whenComplete((result, cause) -> {
            if (cause != null) failure.compareAndSet(null, cause);
            next();
          });
    }

    void await() throws Exception {
      running.await();
      Throwable cause = failure.get();
      if (cause != null) throw new IllegalStateException("a command failed", cause);
    }
  }

  /** Virtual threads that each wait for one GET after the other. */
  static ClientLoad virtualThreads(int callers, String key, int length) {
    return (client, operations) -> {
      AtomicInteger left = new AtomicInteger(operations);
      CountDownLatch running = new CountDownLatch(callers);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      Runnable caller =
          () -> {
            try {
              while (left.getAndDecrement() > 0) check(client.getNow(key), length);
            } catch (RuntimeException e) {
              failure.compareAndSet(null, e);
            }
            running.countDown();
          };
      for (int i = 0; i < callers; i++) Thread.ofVirtual().start(caller);
      running.await();
      if (failure.get() != null) throw new IllegalStateException("a call failed", failure.get());
    };
  }

  /** Coroutines that each await one GET after the other. */
  static ClientLoad coroutines(int callers, String key, int length) {
    return (client, operations) -> client.coroutineGets(key, length, callers, operations);
  }

  /** One platform thread that reads the same value from the library's cache again and again. */
  static ClientLoad cached(String key, int length) {
    return (client, operations) -> {
      for (int i = 0; i < operations; i++) check(client.getCached(key), length);
    };
  }

  /** As {@link #cached}, with a read that was prepared before. */
  static ClientLoad prepared(String key, int length) {
    return (client, operations) -> {
      for (int i = 0; i < operations; i++) check(client.getPrepared(key), length);
    };
  }

  /** One platform thread that waits for one GET after the other. */
  static ClientLoad oneCaller(String key, int length) {
    return (client, operations) -> {
      if (client.gets(key, length, 1, operations)) return;
      for (int i = 0; i < operations; i++) check(client.getNow(key), length);
    };
  }

  /** SETs that one thread sends without waiting, at most 50,000 of them without replies. */
  static ClientLoad burst() {
    int underWayMax = 50_000;
    int flushEvery = 1000;
    return (client, operations) -> {
      Semaphore room = new Semaphore(underWayMax);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      for (int i = 0; i < operations; i++) {
        if (i % flushEvery == 0) client.flush();
        if (!room.tryAcquire()) {
          client.flush();
          room.acquire();
        }
        var unused =
            client
                .set("bench:foo", "bar")
                .whenComplete((ok, cause) -> {
                  if (cause != null) failure.compareAndSet(null, cause);
                  room.release();
                });
      }
      client.flush();
      room.acquire(underWayMax);
      if (failure.get() != null) throw new IllegalStateException("a SET failed", failure.get());
    };
  }

  private static void check(String value, int length) {
    if (value.length() != length) throw new IllegalStateException("length=" + value.length());
  }
}
