package dev.kermes.client.internal.routing;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.TransactionResult;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.SilentPeerException;
import dev.kermes.client.internal.pending.BatchFuture;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pending.TransactionFuture;
import dev.kermes.client.internal.pool.PooledConnection;
import dev.kermes.net.LendableLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One server. Hot path: {@link #send}. */
final class SingleServer implements Servers, Node.Owner, LendableLoop.LoopClient {
  private final RedisOptions options;
  private final Connector connector;
  private final Events events;
  private final Node node;
  private final RetryQueue retryQueue;
  private final @Nullable LendableLoop lendable;

  /** Connects at once. */
  SingleServer(RedisOptions options, Connector connector, Events events) {
    this.options = options;
    this.connector = connector;
    this.events = events;
    this.node = new Node(options, connector, this);
    this.retryQueue =
        new RetryQueue(
            connector.loop(), options.queueMax(), connector.callbacks(), this::sendAgain);
    this.lendable = connector.lendable();
    if (lendable != null) lendable.add(this);
    node.open();
  }

  @Override
  public void send(EncodedCommand<?> command, PendingCommand pending) {
    node.send(command, pending, command.timeoutNanos());
  }

  @Override
  public PendingFuture<List<@Nullable Object>> sendAll(List<EncodedCommand<?>> commands) {
    BatchFuture future = new BatchFuture(new ArrayList<>(commands));
    long timeoutNanos = Requests.timeoutNanos(commands);
    if (future.isComplete()) future.succeed(future.results(), null);
    else if (Requests.hasBlocking(commands)) node.blocking().send(future, timeoutNanos);
    else node.connection().send(future, timeoutNanos);
    return future;
  }

  @Override
  public PendingFuture<TransactionResult> transaction(List<EncodedCommand<?>> commands) {
    TransactionFuture future = new TransactionFuture(new ArrayList<>(commands));
    node.connection().send(future, Requests.timeoutNanos(commands));
    return future;
  }

  @Override
  public void borrow(
      byte @Nullable [] key, PendingCommand pending, Consumer<PooledConnection> borrower) {
    long timeoutNanos = options.commandTimeout().toNanos();
    node.dedicated().borrow(pending, timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos, borrower);
  }

  @Override
  public void borrow(
      RetryDecision.Ask ask, PendingCommand pending, Consumer<PooledConnection> borrower) {
    throw new UnsupportedOperationException("one server: " + ask);
  }

  @Override
  public boolean isTransient(RedisException failure) {
    return switch (failure) {
      case ServerErrorException error -> error.code().equals("LOADING");
      case ConnectionLostException lost -> options.queuesWhileDisconnected();
      default -> false;
    };
  }

  @Override
  public Node master(int slot) {
    return node;
  }

  @Override
  public List<Node> masters() {
    return nodes();
  }

  @Override
  public List<Node> nodes() {
    return List.of(node);
  }

  @Override
  public boolean has(Node one) {
    return one == node;
  }

  @Override
  public Node nodeFor(Topic topic, @Nullable Node current) {
    return node;
  }

  @Override
  public void onReady(Node ready) {
    events.onReady();
  }

  @Override
  public void onLost(Node lost, RedisException cause) {
    events.onDown(cause);
  }

  @Override
  public boolean needsLoop() {
    return !retryQueue.isEmpty();
  }

  /**
   * Retries a lost command that is safe to execute twice, and a command that arrived while the
   * server was loading its data.
   */
  @Override
  public boolean tryTakeOver(Node from, PendingCommand pending, RedisException failure) {
    EncodedCommand<?> command = pending.command();
    if (command == null) return false;
    return switch (failure) {
      case ConnectionLostException lost ->
          lost.mayHaveExecuted() && isRepeated(command, pending, lost);
      case ServerErrorException error ->
          error.code().equals("LOADING") && queueRetry(pending, error);
      default -> false;
    };
  }

  private boolean isRepeated(
      EncodedCommand<?> command, PendingCommand pending, ConnectionLostException lost) {
    if (lost.getCause() instanceof SilentPeerException)
      return false; // it may still be executing the command
    if (!Requests.isSafeToRepeat(command)) return false;
    RetryAttempt again = RetryAttempt.of(pending, lost, false, options.clock());
    if (again.losses() > options.retriesMax() || again.leftNanos() <= 0) return false;
    sendAgain(again);
    return true;
  }

  private boolean queueRetry(PendingCommand pending, ServerErrorException loading) {
    RetryAttempt again = RetryAttempt.of(pending, loading, false, options.clock());
    retryQueue.add(again, RetryQueue.delayNanos(again.attempt()));
    return true;
  }

  private void sendAgain(RetryAttempt again) {
    node.send(again.firstCommand(), again, again.leftNanos());
  }

  @Override
  public void close() {
    node.close();
    String message = "client closed: address=" + AddressText.of(options.address());
    try {
      connector.loop().execute(() -> retryQueue.close(new ClientClosedException(message, null)));
    } catch (RejectedExecutionException e) {
      // closed before
    }
    if (lendable != null) lendable.remove(this);
    connector.close();
  }
}
