package dev.kermes.client.internal.connection;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.CommandTimeoutException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.internal.address.AddressText;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection state of a client, and the futures that wait for a connection. Any thread.
 *
 * @param <C> the client, which is the futures' result
 */
@SuppressWarnings("CollectionUndefinedEquality") // a future is its identity
public final class ConnectedFutures<C> {
  private final C client;
  private final Connector connector;
  private final RedisOptions options;
  private final Set<CompletableFuture<C>> waiting = ConcurrentHashMap.newKeySet();
  private volatile boolean isReady;
  private volatile boolean isClosed;
  private volatile @Nullable RedisException lastFailure;

  public ConnectedFutures(C client, RedisOptions options, Connector connector) {
    this.client = client;
    this.connector = connector;
    this.options = options;
  }

  public boolean isReady() {
    return isReady;
  }

  /** A future that completes when a connection is ready, is refused, or is not ready in time. */
  public CompletableFuture<C> future() {
    CompletableFuture<C> future = new CompletableFuture<>();
    waiting.add(future);
    var unused = future.whenComplete((any, failure) -> waiting.remove(future));
    if (isReady) future.complete(client);
    else if (isClosed) future.completeExceptionally(closed());
    else limit(future);
    return future;
  }

  private void limit(CompletableFuture<C> future) {
    long nanos = options.commandTimeout().toNanos();
    if (nanos == 0) return;
    try {
      Runnable end = () -> connector.executor().execute(() -> future.completeExceptionally(late()));
      var timer = connector.loop().schedule(end, nanos, TimeUnit.NANOSECONDS);
      var unused = future.whenComplete((any, failure) -> timer.cancel(false));
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(closed());
    }
  }

  private RedisException late() {
    RedisException last = lastFailure;
    if (last != null) return last;
    long millis = options.commandTimeout().toMillis();
    return new CommandTimeoutException(
        "not connected in time: timeout="
            + millis
            + " ms, address="
            + AddressText.of(options.address()),
        false,
        null);
  }

  private ClientClosedException closed() {
    return new ClientClosedException(
        "client closed: address=" + AddressText.of(options.address()), null);
  }

  // ---- on the event loop

  public void onReady() {
    isReady = true;
    lastFailure = null;
    for (CompletableFuture<C> each : waiting) each.completeAsync(() -> client, executor());
  }

  public void onDown(RedisException cause) {
    isReady = false;
    RedisException why = cause.getCause() instanceof ServerErrorException refusal ? refusal : cause;
    lastFailure = why;
    boolean isOver = ConnectFailures.isFinal(cause) || !options.queuesWhileDisconnected();
    if (isOver && !wasLost(cause)) failAll(why);
  }

  private static boolean wasLost(RedisException cause) {
    return cause instanceof ConnectionLostException lost && lost.mayHaveExecuted();
  }

  private void failAll(RedisException why) {
    for (CompletableFuture<C> each : waiting) {
      executor().execute(() -> each.completeExceptionally(why));
    }
  }

  private Executor executor() {
    return connector.executor();
  }

  public void close() {
    isClosed = true;
    failAll(closed());
  }
}
