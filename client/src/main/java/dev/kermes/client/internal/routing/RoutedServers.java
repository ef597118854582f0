package dev.kermes.client.internal.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.DecodeException;
import dev.kermes.client.Deployment;
import dev.kermes.client.EncodeException;
import dev.kermes.client.ReadFrom;
import dev.kermes.client.RedisException;
import dev.kermes.client.RedisOptions;
import dev.kermes.client.TransactionResult;
import dev.kermes.client.internal.address.AddressText;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.command.Requests;
import dev.kermes.client.internal.command.ResponsePolicy;
import dev.kermes.client.internal.command.Route;
import dev.kermes.client.internal.command.SplitCommand;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.connection.SilentPeerException;
import dev.kermes.client.internal.pending.CallbackBatch;
import dev.kermes.client.internal.pending.FanOutFuture;
import dev.kermes.client.internal.pending.PendingCommand;
import dev.kermes.client.internal.pending.PendingFuture;
import dev.kermes.client.internal.pending.SinkCommand;
import dev.kermes.client.internal.pool.PooledConnection;
import dev.kermes.commands.HashSlots;
import dev.kermes.net.LendableLoop;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several servers: a cluster, or a master and its replicas. A command goes to the server that is
 * known to serve its keys. If that server does not execute it, it is sent again, to the same server
 * or to another one, until the command's deadline:
 *
 * <pre>
 *   MOVED            correct the slot, send there, refresh the topology
 *   ASK              send there once, after ASKING
 *   TRYAGAIN ...     wait a little
 *   connection lost  refresh the topology; send again only if not sent before or safe to repeat
 * </pre>
 *
 * <p>All connections are on one event loop. It owns everything except the methods of {@link
 * Servers} that any thread may call.
 */
final class RoutedServers implements Servers, Node.Owner, LendableLoop.LoopClient {
  /** The number of redirections that are followed at once; later ones are delayed. */
  private static final int AT_ONCE_MAX = 5;

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final List<InetSocketAddress> seeds;
  private final TopologySource source;
  private final TopologyRefresh refresh;
  private final RetryQueue retryQueue;
  private final Events events;
  private final ClusterNodes nodes;
  private final LoopTasks tasks;
  private volatile Topology topology = Topology.NONE;
  private volatile boolean isClosed;

  /** The node on which plain channels are subscribed. */
  private @Nullable Node subscriptionNode;

  /** Opens a cluster. */
  static RoutedServers cluster(
      RedisOptions options, Connector connector, List<InetSocketAddress> seeds, Events events) {
    RoutedServers servers = new RoutedServers(options, connector, seeds, null, events);
    servers.open();
    return servers;
  }

  /** Opens a master and its replicas, known to sentinels. */
  static RoutedServers sentinel(
      RedisOptions options, Connector connector, Deployment.Sentinel watched, Events events) {
    Sentinels sentinels = new Sentinels(options, watched, connector);
    RoutedServers servers =
        new RoutedServers(options, connector, watched.sentinels(), sentinels, events);
    servers.open();
    return servers;
  }

  private RoutedServers(
      RedisOptions options,
      Connector connector,
      List<InetSocketAddress> seeds,
      @Nullable TopologySource source,
      Events events) {
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.seeds = seeds;
    this.nodes = new ClusterNodes(options, connector, this);
    this.tasks = new LoopTasks(loop, connector::callbacks, this::closed);
    this.source = source == null ? new ClusterSlots(this::candidates) : source;
    this.refresh = new TopologyRefresh(loop, this.source, connector.backoff(), this::onSnapshot);
    this.retryQueue =
        new RetryQueue(loop, options.queueMax(), connector.callbacks(), this::sendAgain);
    this.events = events;
  }

  /** Starts discovering the topology. */
  private void open() {
    LendableLoop lendable = connector.lendable();
    if (lendable != null) lendable.add(this);
    loop.execute(() -> refresh.start(options.topologyPeriod()));
  }

  @Override
  public boolean needsLoop() {
    return !topology.isKnown() || !retryQueue.isEmpty();
  }

  // ---- sending, any thread

  @Override
  public void send(EncodedCommand<?> command, PendingCommand pending) {
    if (!source.hasSlots()) {
      sendToShard(command, Route.NO_KEYS, pending);
      return;
    }
    Route route = Route.of(command);
    if (route.slot() >= 0) sendToShard(command, route.slot(), pending);
    else if (route.slot() == Route.CROSSES_SLOTS) sendSplit(command, route, pending);
    else if (route.reach() == Route.Reach.ANY) sendToShard(command, Route.NO_KEYS, pending);
    else sendToAll(command, route, pending);
  }

  private void sendToShard(EncodedCommand<?> command, int slot, PendingCommand pending) {
    Shard shard = topology.shard(slot);
    if (shard == null) queueForRetry(pending, noServerKnown());
    else nodeFor(command, shard).send(command, pending, command.timeoutNanos());
  }

  private Node nodeFor(EncodedCommand<?> command, Shard shard) {
    if (options.readFrom() == ReadFrom.MASTER || !Route.of(command).isRead()) return shard.master();
    return shard.reader(options.readFrom());
  }

  private void sendSplit(EncodedCommand<?> command, Route route, PendingCommand pending) {
    if (!route.isSplittable()) {
      failNow(pending, route.crossing());
      return;
    }
    SplitCommand split = new SplitCommand(command, route);
    answer(pending, sendAll(withTimeout(split.pieces(), command)), split::join);
  }

  private static List<EncodedCommand<?>> withTimeout(
      List<EncodedCommand<?>> pieces, EncodedCommand<?> whole) {
    List<EncodedCommand<?>> timed = new ArrayList<>(pieces.size());
    for (EncodedCommand<?> piece : pieces) timed.add(piece.withTimeoutOf(whole));
    return timed;
  }

  private void sendToAll(EncodedCommand<?> command, Route route, PendingCommand pending) {
    Topology now = topology;
    if (!now.isKnown()) {
      queueForRetry(pending, noServerKnown());
      return;
    }
    boolean wantsReplicas = route.reach() == Route.Reach.ALL_NODES;
    List<Node> targets = wantsReplicas ? List.copyOf(now.nodes()) : now.masters();
    FanOutFuture fanOut = new FanOutFuture(targets.size());
    for (int i = 0; i < targets.size(); i++) {
      targets.get(i).send(command, fanOut.pending(command, i), command.timeoutNanos());
    }
    answer(pending, fanOut, ResponsePolicy.of(route)::join);
  }

  /** Completes {@code pending} with the results joined by {@code join}. */
  private static void answer(
      PendingCommand pending, PendingFuture<List<@Nullable Object>> results, Join join) {
    results.then((all, failure, callbacks) -> {
      try {
        if (all == null) pending.fail(requireNonNull(failure), callbacks);
        else pending.answer(join.join(all), callbacks);
      } catch (RedisException e) {
        pending.fail(e, callbacks);
      } catch (RuntimeException e) {
        pending.fail(new DecodeException("results not joinable: " + pending, e), callbacks);
      }
    });
  }

  private interface Join {
    @Nullable Object join(List<@Nullable Object> results);
  }

  @Override
  public PendingFuture<List<@Nullable Object>> sendAll(List<EncodedCommand<?>> commands) {
    FanOutFuture fanOut = new FanOutFuture(commands.size());
    if (commands.isEmpty()) fanOut.succeed(List.of(), null);
    for (int i = 0; i < commands.size(); i++) {
      EncodedCommand<?> command = commands.get(i);
      SinkCommand<?> pending = fanOut.pending(command, i);
      EncodeException failure = command.failure();
      if (failure == null) send(command, pending);
      else failNow(pending, failure);
    }
    return fanOut;
  }

  @Override
  public PendingFuture<TransactionResult> transaction(List<EncodedCommand<?>> commands) {
    int slot = source.hasSlots() ? Route.slotOf(commands) : Route.NO_KEYS;
    long timeoutNanos = Requests.timeoutNanos(commands, options);
    RoutedTransaction transaction =
        new RoutedTransaction(this, commands, slot, timeoutNanos, options.clock());
    if (slot == Route.CROSSES_SLOTS) transaction.whole().failHere(Route.crossing(commands));
    else transaction.start();
    return transaction.whole();
  }

  @Override
  public void borrow(
      byte @Nullable [] key, PendingCommand pending, Consumer<PooledConnection> borrower) {
    long endNanos = options.clock().getAsLong() + options.commandTimeout().toNanos();
    borrow(key == null ? Route.NO_KEYS : HashSlots.of(key), pending, borrower, endNanos);
  }

  private void borrow(
      int slot, PendingCommand pending, Consumer<PooledConnection> borrower, long endNanos) {
    Node node = master(slot);
    long left = endNanos - options.clock().getAsLong();
    if (node != null) {
      boolean isEndless = options.commandTimeout().isZero();
      long timeoutNanos = isEndless ? Long.MAX_VALUE : Math.max(1, left);
      node.dedicated().borrow(pending, timeoutNanos, borrower);
    } else if (left > 0 || options.commandTimeout().isZero()) {
      Runnable again = () -> borrow(slot, pending, borrower, endNanos);
      tasks.runIn(RetryQueue.delayNanos(1), again, pending);
    } else {
      failNow(pending, noServerKnown());
    }
  }

  @Override
  public void borrow(
      RetryDecision.Ask ask, PendingCommand pending, Consumer<PooledConnection> borrower) {
    long nanos = options.commandTimeout().toNanos();
    long timeoutNanos = nanos == 0 ? Long.MAX_VALUE : nanos;
    tasks.run(() -> node(ask.to()).dedicated().borrow(pending, timeoutNanos, borrower), pending);
  }

  @Override
  public boolean isTransient(RedisException failure) {
    return !isClosed
        && !(RetryDecision.of(failure, true, options.address()) instanceof RetryDecision.None);
  }

  // ---- retries, on the loop

  @Override
  public void learnFrom(Node from, RedisException failure) {
    switch (RetryDecision.of(failure, true, from.address())) {
      case RetryDecision.Moved moved -> onMoved(moved);
      case RetryDecision.Refresh ask -> refresh.request();
      case RetryDecision.Ask ask -> {}
      case RetryDecision.Wait wait -> {}
      case RetryDecision.None none -> {}
    }
  }

  @Override
  public boolean tryTakeOver(Node from, PendingCommand pending, RedisException failure) {
    EncodedCommand<?> command = pending.command();
    if (command == null || isClosed) return false;
    boolean isSafe = Requests.isSafeToRepeat(command);
    return switch (RetryDecision.of(failure, isSafe, from.address())) {
      case RetryDecision.Moved moved -> {
        onMoved(moved);
        yield sendTo(node(moved.to()), again(pending, failure, false));
      }
      case RetryDecision.Ask ask -> sendTo(node(ask.to()), again(pending, failure, true));
      case RetryDecision.Wait wait -> queueRetry(again(pending, failure, false));
      case RetryDecision.Refresh ask -> {
        refresh.request();
        boolean isSilent = failure.getCause() instanceof SilentPeerException;
        RetryAttempt again = again(pending, failure, false).excluding(isSilent ? from : null);
        yield isWithinRetries(pending, failure) && queueRetry(again);
      }
      case RetryDecision.None none -> false;
    };
  }

  private RetryAttempt again(PendingCommand last, RedisException cause, boolean asks) {
    return RetryAttempt.of(last, cause, asks, options.clock());
  }

  void onMoved(RetryDecision.Moved moved) {
    refresh.request();
    if (!topology.isKnown()) return;
    Shard shard = topology.shardOfMaster(node(moved.to()));
    if (shard == null) shard = new Shard(node(moved.to()), List.of());
    topology.assign(moved.slot(), moved.slot(), shard);
  }

  /** Whether a command that may have been executed may be repeated once more. */
  private boolean isWithinRetries(PendingCommand pending, RedisException failure) {
    boolean mayHaveExecuted =
        failure instanceof ConnectionLostException lost && lost.mayHaveExecuted();
    return !mayHaveExecuted
        || (options.retriesMax() > 0
            && (!(pending instanceof RetryAttempt retry) || retry.losses() < options.retriesMax()));
  }

  private boolean sendTo(Node node, RetryAttempt retry) {
    if (retry.attempt() > AT_ONCE_MAX) return queueRetry(retry);
    EncodedCommand<?> command = retry.firstCommand();
    node.send(command, retry, retry.leftNanos());
    return true;
  }

  private boolean queueRetry(RetryAttempt retry) {
    retryQueue.add(retry, RetryQueue.delayNanos(retry.attempt()));
    return true;
  }

  /** Queues a first retry. Any thread. */
  private void queueForRetry(PendingCommand pending, RedisException cause) {
    if (isClosed) {
      failNow(pending, closed());
      return;
    }
    pending.start(connector.lendable(), options.commandTimeout());
    try {
      loop.execute(() -> queueRetry(again(pending, cause, false)));
    } catch (RejectedExecutionException e) {
      failNow(pending, closed());
    }
  }

  private void sendAgain(RetryAttempt retry) {
    EncodedCommand<?> command = retry.firstCommand();
    Route route = Route.of(command);
    boolean isPlain = !source.hasSlots() || route.slot() >= 0;
    Shard shard = topology.shard(isPlain ? route.slot() : Route.NO_KEYS);
    if (shard == null) {
      queueRetry(retry);
      return;
    }
    if (isPlain || route.reach() == Route.Reach.ANY) {
      Node node = nodeFor(command, shard);
      if (retry.excludes(node)) queueRetry(retry);
      else node.send(command, retry, retry.leftNanos());
    } else {
      send(command, retry);
    }
  }

  // ---- for transactions

  @Override
  public @Nullable Node master(int slot) {
    Shard shard = topology.shard(source.hasSlots() ? slot : Route.NO_KEYS);
    return shard == null ? null : shard.master();
  }

  @Override
  public List<Node> masters() {
    return topology.masters();
  }

  @Override
  public Collection<Node> nodes() {
    return nodes.all();
  }

  @Override
  public boolean has(Node node) {
    return topology.nodes().contains(node);
  }

  // ---- for subscriptions, on the loop

  /**
   * Shard channels belong to the server of their slot; other channels can use any server of a
   * cluster.
   */
  @Override
  public @Nullable Node nodeFor(Topic topic, @Nullable Node current) {
    if (!source.hasSlots()) return master(Route.NO_KEYS);
    if (topic.kind() == Topic.Kind.SHARD) return master(HashSlots.of(topic.name().getBytes(UTF_8)));
    Set<Node> known = topology.nodes();
    if (current != null && known.contains(current)) return current;
    Node last = subscriptionNode;
    if (last == null || !last.isReady() || !known.contains(last)) last = anyReady();
    subscriptionNode = last;
    return last;
  }

  private @Nullable Node anyReady() {
    for (Node master : topology.masters()) if (master.isReady()) return master;
    return null;
  }

  @Override
  public void refresh() {
    refresh.request();
  }

  // ---- topology, on the loop

  private List<Node> candidates() {
    List<Node> known = new ArrayList<>();
    for (Node node : topology.nodes()) if (node.isReady()) known.add(node);
    Collections.shuffle(known);
    for (InetSocketAddress seed : seeds) known.add(node(seed));
    for (Node node : topology.nodes()) if (!node.isReady()) known.add(node);
    return known;
  }

  private void onSnapshot(TopologySnapshot snapshot) {
    List<Shard> shards = new ArrayList<>();
    for (TopologySnapshot.Part part : snapshot.parts()) shards.add(shard(part));
    Topology fresh = new Topology(shards);
    for (int i = 0; i < shards.size(); i++) {
      for (TopologySnapshot.Range range : snapshot.parts().get(i).ranges()) {
        fresh.assign(range.from(), range.to(), shards.get(i));
      }
    }
    topology = fresh;
    nodes.dropAllBut(fresh.nodes());
    retryQueue.release();
    events.onReady();
  }

  private Shard shard(TopologySnapshot.Part part) {
    List<Node> replicas = new ArrayList<>();
    if (options.readFrom() != ReadFrom.MASTER) {
      for (InetSocketAddress replica : part.replicas()) replicas.add(node(replica));
    }
    return new Shard(node(part.master()), replicas);
  }

  /** Returns the node at an address, creating it if needed. On the loop. */
  Node node(SocketAddress address) {
    return nodes.at(address);
  }

  @Override
  public void onLost(Node node, RedisException cause) {
    if (topology.isKnown()) refresh.request();
    else events.onDown(cause);
  }

  // ---- the end

  /** Runs the tasks of commands on the event loop. */
  LoopTasks tasks() {
    return tasks;
  }

  void failNow(PendingCommand pending, RedisException failure) {
    CallbackBatch own = connector.callbacks();
    pending.fail(failure, own);
    own.dispatch();
  }

  ConnectionLostException noServerKnown() {
    return new ConnectionLostException(
        "no server known yet: seeds=" + AddressText.of(seeds), false, null);
  }

  private ClientClosedException closed() {
    return new ClientClosedException("client closed: seeds=" + AddressText.of(seeds), null);
  }

  @Override
  public void close() {
    isClosed = true;
    tasks.stop();
    try {
      loop.execute(this::closeOnLoop);
    } catch (RejectedExecutionException e) {
      // closed before
    }
    connector.close();
  }

  private void closeOnLoop() {
    refresh.close();
    nodes.close();
    tasks.close();
    retryQueue.close(closed());
    LendableLoop lendable = connector.lendable();
    if (lendable != null) lendable.remove(this);
  }
}
