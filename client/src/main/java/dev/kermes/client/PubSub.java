package dev.kermes.client;

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
 * The subscriptions of one client. Each topic has a home, the server that it must be requested
 * from; {@link #settle} compares where topics are with where they should be and requests what is
 * missing: for a new subscription, after a loss, and when slots have moved. Owned by the event
 * loop.
 */
final class PubSub {
  /** Which server a topic belongs to. On the event loop. */
  interface Homes {
    /**
     * The server for {@code topic}, or null while none is known.
     *
     * @param current where it is requested now, or null
     */
    @Nullable Node home(Topic topic, @Nullable Node current);

    /** What {@link #home} says turned out to be wrong. */
    default void refresh() {}
  }

  /** Who listens to a topic, and where it is requested. */
  private static final class Interest {
    final Set<Subscription> listeners = new LinkedHashSet<>();
    @Nullable PubSubConnection at;
    boolean isConfirmed;
  }

  private final Connector connector;
  private final EventLoop loop;
  private final Homes homes;
  private final Backoff backoff;
  private final Map<Topic, Interest> interests = new LinkedHashMap<>();
  private final Map<Node, PubSubConnection> connections = new HashMap<>();
  private boolean isSettling;
  private boolean isClosed;

  PubSub(Connector connector, Homes homes) {
    this.connector = connector;
    this.loop = connector.loop();
    this.homes = homes;
    this.backoff = connector.backoff();
  }

  // ---- any thread

  Subscription subscribe(Topic.Kind kind, List<String> names, SubscriptionOptions options) {
    if (names.isEmpty()) throw new IllegalArgumentException("no channels");
    Subscription subscription = new Subscription(this, kind, names, options);
    runOnLoop(() -> add(subscription), () -> subscription.end(closed()));
    return subscription;
  }

  void remove(Subscription subscription) {
    runOnLoop(() -> drop(subscription), () -> {});
  }

  /** Has every connection log in anew; what it completes with is the first refusal or nothing. */
  CompletableFuture<?> logIn(Command<?> auth) {
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
              .whenComplete((nothing, refusal) -> settled(done, refusal));
        },
        () -> done.completeExceptionally(closed()));
    return done;
  }

  /** Completes {@code done}, where users' code may hang on it. */
  void settled(CompletableFuture<?> done, @Nullable Throwable refusal) {
    executor()
        .execute(() -> {
          if (refusal == null) done.complete(null);
          else done.completeExceptionally(refusal);
        });
  }

  void close() {
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

  // ---- wishes, on the loop

  private void add(Subscription subscription) {
    if (isClosed) {
      subscription.end(closed());
      return;
    }
    for (Topic topic : subscription.topics()) {
      Interest interest = interests.computeIfAbsent(topic, any -> new Interest());
      interest.listeners.add(subscription);
      if (interest.isConfirmed) subscription.onConfirmed(topic.name());
      else place(topic, interest);
    }
  }

  private void drop(Subscription subscription) {
    for (Topic topic : subscription.topics()) {
      Interest interest = interests.get(topic);
      if (interest == null || !interest.listeners.remove(subscription)) continue;
      if (!interest.listeners.isEmpty()) continue;
      interests.remove(topic);
      if (interest.at != null) interest.at.unsubscribe(topic);
    }
  }

  // ---- homes, on the loop

  /** Requests what is not where it belongs. */
  void settle() {
    isSettling = false;
    if (isClosed) return;
    for (Map.Entry<Topic, Interest> each : List.copyOf(interests.entrySet())) {
      place(each.getKey(), each.getValue());
    }
    for (PubSubConnection connection : List.copyOf(connections.values())) {
      if (!connection.topics().isEmpty()) continue;
      connections.remove(connection.node());
      connection.close();
    }
  }

  private void place(Topic topic, Interest interest) {
    PubSubConnection at = interest.at;
    Node home = homes.home(topic, at == null ? null : at.node());
    if (at != null && at.node() == home) return;
    if (at != null) {
      at.unsubscribe(topic);
      unplace(topic, interest, new ConnectionLostException("moved: " + topic, false, null));
    }
    if (home == null) {
      settleIn(backoff.nextMillis());
      return;
    }
    PubSubConnection connection = connections.computeIfAbsent(home, node -> new PubSubConnection(this, node));
    interest.at = connection;
    connection.subscribe(topic);
  }

  private static void unplace(Topic topic, Interest interest, RedisException cause) {
    interest.at = null;
    interest.isConfirmed = false;
    for (Subscription each : interest.listeners) each.onLost(topic.name(), cause);
  }

  private void settleIn(long millis) {
    if (isSettling || isClosed) return;
    isSettling = true;
    loop.schedule(this::settle, millis, TimeUnit.MILLISECONDS);
  }

  // ---- what servers say, on the loop

  void onLost(PubSubConnection connection, RedisException cause) {
    if (isClosed) return;
    connections.remove(connection.node(), connection);
    for (Topic topic : connection.topics()) {
      Interest interest = interests.get(topic);
      if (interest != null && interest.at == connection) unplace(topic, interest, cause);
    }
    homes.refresh();
    boolean isFirst = backoff.failures() == 0;
    long wait = backoff.nextMillis();
    settleIn(isFirst ? 0 : wait);
  }

  void onMessage(Topic topic, SubscriptionEvent.Message message) {
    Interest interest = interests.get(topic);
    if (interest == null) return;
    for (Subscription each : interest.listeners) each.on(message);
  }

  void onConfirmed(Topic topic) {
    Interest interest = interests.get(topic);
    if (interest == null) return;
    interest.isConfirmed = true;
    backoff.succeeded();
    for (Subscription each : interest.listeners) each.onConfirmed(topic.name());
  }

  /** The slot has gone to another server. */
  void onMoved(Topic topic) {
    Interest interest = interests.get(topic);
    if (interest == null) return;
    unplace(topic, interest, new ConnectionLostException("slot moved: " + topic, false, null));
    homes.refresh();
    settleIn(backoff.nextMillis());
  }

  void onRefused(Topic topic, ServerErrorException error, Node from) {
    Interest interest = interests.get(topic);
    if (interest == null) return;
    if (RetryDecision.of(error, true, from.address()) instanceof RetryDecision.None) {
      interests.remove(topic);
      for (Subscription each : interest.listeners) each.onRefused(topic.name(), error);
    } else {
      onMoved(topic);
    }
  }

  private void closeOnLoop() {
    isClosed = true;
    Set<Subscription> all = new HashSet<>();
    for (Interest interest : interests.values()) all.addAll(interest.listeners);
    for (Subscription each : all) each.endWith(closed());
    for (PubSubConnection connection : new ArrayList<>(connections.values())) connection.close();
  }
}
