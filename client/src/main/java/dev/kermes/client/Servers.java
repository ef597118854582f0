package dev.kermes.client;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The servers behind a client, one or many, and the way of each command to the right one. */
interface Servers extends PubSub.TopicNodes, AutoCloseable {
  /** What the client is told, on the event loop. */
  interface Events {
    /** Commands can be sent, for the first time or again. */
    void onReady();

    /** There is no server, for this reason; another attempt follows. */
    void onDown(RedisException cause);
  }

  /** Those of {@code options}, connecting already. */
  static Servers open(RedisOptions options, Connector connector, Events events) {
    return switch (options.deployment()) {
      case Deployment.Single single -> new SingleServer(options, connector, events);
      case Deployment.Cluster cluster ->
          RoutedServers.cluster(options, connector, cluster.seeds(), events);
      case Deployment.Sentinel watched -> RoutedServers.sentinel(options, connector, watched, events);
    };
  }

  /** Sends the one command of {@code pending}, which could be encoded and may be shared. */
  void send(Command<?> command, PendingCommand pending);

  /** Sends what may be shared; each element is a result or a failure. */
  RedisFuture<List<@Nullable Object>> sendAll(List<? extends Command<?>> commands);

  /** Runs {@code commands}, which could be encoded, as one transaction. */
  RedisFuture<TransactionResult> transaction(List<? extends Command<?>> commands);

  /**
   * Borrows a connection that has nobody else on it.
   *
   * @param key that it must serve, or null for any
   */
  void borrow(byte @Nullable [] key, PendingCommand pending, Consumer<DedicatedPool.PooledConnection> borrower);

  /**
   * As {@link #borrow}, from the server that {@code ask} names, which must be told ASKING each
   * time.
   */
  void borrow(RetryDecision.Ask ask, PendingCommand pending, Consumer<DedicatedPool.PooledConnection> borrower);

  /** Whether what failed so, without having been executed, may succeed a little later. */
  boolean isTransient(RedisException failure);

  /** The master of a slot, of any if it is negative, or null while none is known. Any thread. */
  @Nullable Node master(int slot);

  /** Those that together hold all keys, as far as they are known. Any thread. */
  List<Node> masters();

  /** All that are connected or connecting. Any thread. */
  Collection<Node> nodes();

  /** Whether {@code node} is still one of them. */
  boolean has(Node node);

  @Override
  void close();
}
