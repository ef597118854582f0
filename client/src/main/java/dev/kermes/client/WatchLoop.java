package dev.kermes.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A transaction that depends on what it has read: WATCH, read, MULTI ... EXEC, and from the
 * beginning again while somebody else changes a watched key in between.
 */
final class WatchLoop {
  private static final int ATTEMPTS_MAX = 100;

  private final RedisClient redis;
  private final List<String> keys;
  private final Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body;
  private final CompletableFuture<TransactionResult> result = new CompletableFuture<>();
  private int attempts;

  WatchLoop(
      RedisClient redis,
      List<String> keys,
      Function<DedicatedConnection, CompletionStage<List<Command<?>>>> body) {
    this.redis = redis;
    this.keys = List.copyOf(keys);
    this.body = body;
  }

  CompletionStage<TransactionResult> run() {
    attempt();
    return result;
  }

  private void attempt() {
    attempts++;
    var unused =
        redis
            .dedicated(keys.getFirst())
            .thenCompose(this::once)
            .whenComplete((outcome, failure) -> {
              if (failure != null) result.completeExceptionally(cause(failure));
              else if (outcome.isAborted() && attempts < ATTEMPTS_MAX) attempt();
              else result.complete(outcome);
            });
  }

  private CompletionStage<TransactionResult> once(DedicatedConnection connection) {
    return connection
        .send(Command.of("WATCH", keys.toArray(new String[0])))
        .thenCompose(ok -> body.apply(connection))
        .thenCompose(connection::transaction)
        .whenComplete((outcome, failure) -> connection.close());
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isWrapped = failure instanceof CompletionException;
    return isWrapped && cause != null ? cause : failure;
  }
}
