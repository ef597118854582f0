package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import java.util.concurrent.CompletableFuture;

/** Waits for a dedicated connection; it has no request of its own. */
final class PoolWaiter extends PendingCommand {
  private final CompletableFuture<DedicatedConnection> future = new CompletableFuture<>();

  /** Whoever ends it by hand waits no more. */
  CompletableFuture<DedicatedConnection> future() {
    var unused = future.whenComplete((connection, failure) -> abandoned());
    return future;
  }

  void succeed(DedicatedConnection connection) {
    if (!future.complete(connection)) connection.close();
  }

  @Override
  boolean isDone() {
    return future.isDone();
  }

  @Override
  void writeTo(RequestOutput out) {}

  @Override
  boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    return true;
  }

  @Override
  void fail(RedisException failure, CallbackBatch callbacks) {
    callbacks.add(() -> future.completeExceptionally(failure));
  }

  @Override
  public String toString() {
    return "a dedicated connection";
  }
}
