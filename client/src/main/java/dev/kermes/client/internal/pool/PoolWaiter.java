package dev.kermes.client.internal.pool;

import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.RedisException;
import dev.kermes.client.internal.command.RequestOutput;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.resp.ReplyReader;
import java.util.concurrent.CompletableFuture;

/** A caller's wait for a dedicated connection. It has no request of its own. */
public final class PoolWaiter extends PendingCommand {
  private final CompletableFuture<DedicatedConnection> future = new CompletableFuture<>();

  /** The caller's future; completing it by hand ends the wait. */
  public CompletableFuture<DedicatedConnection> future() {
    var unused = future.whenComplete((connection, failure) -> abandon());
    return future;
  }

  public void succeed(DedicatedConnection connection) {
    if (!future.complete(connection)) connection.close();
  }

  @Override
  public boolean isDone() {
    return future.isDone();
  }

  @Override
  public void writeTo(RequestOutput out) {}

  @Override
  public boolean onReply(ReplyReader in, CallbackBatch callbacks) {
    return true;
  }

  @Override
  public void fail(RedisException failure, CallbackBatch callbacks) {
    callbacks.add(() -> future.completeExceptionally(failure));
  }

  @Override
  public String toString() {
    return "a dedicated connection";
  }
}
