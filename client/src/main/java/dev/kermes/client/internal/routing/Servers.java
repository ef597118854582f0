package dev.kermes.client.internal.routing;

import dev.kermes.client.Deployment;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.TransactionResult;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pool.PooledConnection;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The servers behind a client, one or many; routes each command to the right one. */
public interface Servers extends TopicNodes, AutoCloseable {
  /** Events for the client, on the event loop. */
  interface Events {
    /** Commands can be sent, for the first time or again. */
    void onReady();

    /** No server is connected, for this reason; another attempt follows. */
    void onDown(RedisException cause);
  }

  /** Opens the servers of {@code options} and starts connecting. */
  static Servers open(RedisOptions options, Connector connector, Events events) {
    return switch (options.deployment()) {
      case Deployment.Single single -> new SingleServer(options, connector, events);
      case Deployment.Cluster cluster ->
          RoutedServers.cluster(options, connector, cluster.seeds(), events);
      case Deployment.Sentinel watched ->
          RoutedServers.sentinel(options, connector, watched, events);
    };
  }

  /**
   * Sends the single command of {@code pending}, which is encoded and may use a shared connection.
   */
  void send(EncodedCommand<?> command, PendingCommand pending);

  /** Sends commands that may use a shared connection; each element is a result or a failure. */
  PendingFuture<List<@Nullable Object>> sendAll(List<EncodedCommand<?>> commands);

  /** Runs {@code commands}, which are encoded, as one transaction. */
  PendingFuture<TransactionResult> transaction(List<EncodedCommand<?>> commands);

  /**
   * Borrows a dedicated connection.
   *
   * @param key the key that it must serve, or null for any
   */
  void borrow(byte @Nullable [] key, PendingCommand pending, Consumer<PooledConnection> borrower);

  /**
   * Like {@link #borrow}, from the server that {@code ask} names, which requires ASKING before each
   * command.
   */
  void borrow(RetryDecision.Ask ask, PendingCommand pending, Consumer<PooledConnection> borrower);

  /**
   * Whether a command that failed this way, without having been executed, may succeed a little
   * later.
   */
  boolean isTransient(RedisException failure);

  /**
   * The master of a slot, or of any slot if it is negative; null while none is known. Any thread.
   */
  @Nullable Node master(int slot);

  /** The known masters, which together hold all keys. Any thread. */
  List<Node> masters();

  /** All nodes that are connected or connecting. Any thread. */
  Collection<Node> nodes();

  /** Whether {@code node} still belongs to the topology. */
  boolean has(Node node);

  @Override
  void close();
}
