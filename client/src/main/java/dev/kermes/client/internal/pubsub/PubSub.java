package dev.kermes.client.internal.pubsub;

import dev.kermes.client.ClientClosedException;
import dev.kermes.client.ConnectionLostException;
import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.Backoff;
import dev.kermes.client.internal.connection.Connector;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.client.internal.routing.RetryDecision;
import dev.kermes.client.internal.routing.Topic;
import dev.kermes.client.internal.routing.TopicNodes;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one client. Each topic belongs to a server, and the client must request it
 * there. {@link #reconcile} compares where topics are requested with where they belong, and
 * requests what is missing: for a new subscription, after a lost connection, and when slots have
 * moved. Owned by the event loop.
 */
public final class PubSub {
  /** The subscriptions of a topic, and the connection on which it is requested. */
  private static final class TopicState {
    final Set<BufferedSubscription> listeners = new LinkedHashSet<>();
    @Nullable PubSubConnection at;
    boolean isConfirmed;
  }

  private final Connector connector;
  private final EventLoop loop;
  private final TopicNodes topicNodes;
  private final Backoff backoff;
  private final Map<Topic, TopicState> states = new LinkedHashMap<>();
  private final Map<Node, PubSubConnection> connections = new HashMap<>();
  private boolean isReconcileScheduled;
  private boolean isClosed;

  public PubSub(Connector connector, TopicNodes topicNodes) {
    this.connector = connector;
    this.loop = connector.loop();
    this.topicNodes = topicNodes;
    this.backoff = connector.backoff();
  }

  // ---- any thread

  public Subscription subscribe(Topic.Kind kind, List<String> names, SubscriptionOptions options) {
    if (names.isEmpty()) throw new IllegalArgumentException("no channels");
    BufferedSubscription subscription = new BufferedSubscription(this, kind, names, options);
    runOnLoop(() -> add(subscription), () -> subscription.end(closed()));
    return subscription;
  }

  void remove(BufferedSubscription subscription) {
    runOnLoop(() -> drop(subscription), () -> {});
  }

  /** Makes every connection log in again; completes when all have, or with the first refusal. */
  public CompletableFuture<?> logIn(EncodedCommand<?> auth) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    runOnLoop(
        () -> {
          List<CompletableFuture<?>> all = new ArrayList<>();
          for (PubSubConnection connection : List.copyOf(connections.values())) {
            CompletableFuture<Void> one = new CompletableFuture<>();
            all.add(one);
            connection.logIn(auth, one);
          }
          CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
              .whenComplete((nothing, refusal) -> completeOnExecutor(done, refusal));
        },
        () -> done.completeExceptionally(closed()));
    return done;
  }

  /** Completes {@code done} on the executor, because user code may depend on it. */
  void completeOnExecutor(CompletableFuture<?> done, @Nullable Throwable refusal) {
    executor()
        .execute(() -> {
          if (refusal == null) done.complete(null);
          else done.completeExceptionally(refusal);
        });
  }

  public void close() {
    runOnLoop(this::closeOnLoop, () -> {});
  }

  Executor executor() {
    return connector.executor();
  }

  private void runOnLoop(Runnable task, Runnable otherwise) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      otherwise.run();
    }
  }

  private static ClientClosedException closed() {
    return new ClientClosedException("client closed", null);
  }

  // ---- subscribing, on the loop

  private void add(BufferedSubscription subscription) {
    if (isClosed) {
      subscription.end(closed());
      return;
    }
    for (Topic topic : subscription.topics()) {
      TopicState state = states.computeIfAbsent(topic, any -> new TopicState());
      state.listeners.add(subscription);
      if (state.isConfirmed) subscription.onConfirmed(topic.name());
      else assign(topic, state);
    }
  }

  private void drop(BufferedSubscription subscription) {
    for (Topic topic : subscription.topics()) {
      TopicState state = states.get(topic);
      if (state == null || !state.listeners.remove(subscription)) continue;
      if (!state.listeners.isEmpty()) continue;
      states.remove(topic);
      if (state.at != null) state.at.unsubscribe(topic);
    }
  }

  // ---- topics and nodes, on the loop

  /** Requests every topic at the server that it belongs to. */
  public void reconcile() {
    isReconcileScheduled = false;
    if (isClosed) return;
    for (Map.Entry<Topic, TopicState> each : List.copyOf(states.entrySet())) {
      assign(each.getKey(), each.getValue());
    }
    for (PubSubConnection connection : List.copyOf(connections.values())) {
      if (!connection.topics().isEmpty()) continue;
      connections.remove(connection.node());
      connection.close();
    }
  }

  private void assign(Topic topic, TopicState state) {
    PubSubConnection at = state.at;
    Node node = topicNodes.nodeFor(topic, at == null ? null : at.node());
    if (at != null && at.node() == node) return;
    if (at != null) {
      at.unsubscribe(topic);
      unassign(topic, state, new ConnectionLostException("moved: " + topic, false, null));
    }
    if (node == null) {
      reconcileIn(backoff.nextMillis());
      return;
    }
    PubSubConnection connection =
        connections.computeIfAbsent(node, to -> new PubSubConnection(this, to));
    state.at = connection;
    connection.subscribe(topic);
  }

  private static void unassign(Topic topic, TopicState state, RedisException cause) {
    state.at = null;
    state.isConfirmed = false;
    for (BufferedSubscription each : state.listeners) each.onLost(topic.name(), cause);
  }

  private void reconcileIn(long millis) {
    if (isReconcileScheduled || isClosed) return;
    isReconcileScheduled = true;
    loop.schedule(this::reconcile, millis, TimeUnit.MILLISECONDS);
  }

  // ---- messages of the servers, on the loop

  void onLost(PubSubConnection connection, RedisException cause) {
    if (isClosed) return;
    connections.remove(connection.node(), connection);
    for (Topic topic : connection.topics()) {
      TopicState state = states.get(topic);
      if (state != null && state.at == connection) unassign(topic, state, cause);
    }
    topicNodes.refresh();
    boolean isFirst = backoff.failures() == 0;
    long wait = backoff.nextMillis();
    reconcileIn(isFirst ? 0 : wait);
  }

  void onMessage(Topic topic, SubscriptionEvent.Message message) {
    TopicState state = states.get(topic);
    if (state == null) return;
    for (BufferedSubscription each : state.listeners) each.onEvent(message);
  }

  void onConfirmed(Topic topic) {
    TopicState state = states.get(topic);
    if (state == null) return;
    state.isConfirmed = true;
    backoff.succeeded();
    for (BufferedSubscription each : state.listeners) each.onConfirmed(topic.name());
  }

  /** Handles the move of a shard channel's slot to another server. */
  void onMoved(Topic topic) {
    TopicState state = states.get(topic);
    if (state == null) return;
    unassign(topic, state, new ConnectionLostException("slot moved: " + topic, false, null));
    topicNodes.refresh();
    reconcileIn(backoff.nextMillis());
  }

  void onRefused(Topic topic, ServerErrorException error, Node from) {
    TopicState state = states.get(topic);
    if (state == null) return;
    if (RetryDecision.of(error, true, from.address()) instanceof RetryDecision.None) {
      states.remove(topic);
      for (BufferedSubscription each : state.listeners) each.onRefused(topic.name(), error);
    } else {
      onMoved(topic);
    }
  }

  private void closeOnLoop() {
    isClosed = true;
    Set<BufferedSubscription> all = new HashSet<>();
    for (TopicState state : states.values()) all.addAll(state.listeners);
    for (BufferedSubscription each : all) each.endWith(closed());
    for (PubSubConnection connection : new ArrayList<>(connections.values())) connection.close();
  }
}
