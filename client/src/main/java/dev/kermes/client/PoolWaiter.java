package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import java.util.concurrent.CompletableFuture;

/** A caller's wait for a dedicated connection. It has no request of its own. */
final class PoolWaiter extends PendingCommand {
  private final CompletableFuture<DedicatedConnection> future = new CompletableFuture<>();

  /** The caller's future; completing it by hand ends the wait. */
  CompletableFuture<DedicatedConnection> future() {
    var unused = future.whenComplete((connection, failure) -> abandon());
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
