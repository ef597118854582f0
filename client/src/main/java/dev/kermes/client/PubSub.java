package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one client, all on one connection of their own that is opened for the first
 * of them. After a loss everything still wanted is requested again. Owned by the event loop.
 */
final class PubSub implements Link.Listener {
  /** Channels and patterns have separate name spaces. */
  enum Kind {
    CHANNEL("SUBSCRIBE", "UNSUBSCRIBE"),
    PATTERN("PSUBSCRIBE", "PUNSUBSCRIBE");

    private final String subscribe;
    private final String unsubscribe;

    Kind(String subscribe, String unsubscribe) {
      this.subscribe = subscribe;
      this.unsubscribe = unsubscribe;
    }
  }

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final Map<Kind, Map<String, Set<Subscription>>> wanted = new EnumMap<>(Kind.class);
  private final Map<Kind, Set<String>> confirmed = new EnumMap<>(Kind.class);
  private @Nullable Link link;
  private boolean wasLost;
  private boolean isClosed;

  PubSub(RedisOptions options, Connector connector) {
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    for (Kind kind : Kind.values()) {
      wanted.put(kind, new HashMap<>());
      confirmed.put(kind, new HashSet<>());
    }
  }

  // ---- any thread

  Subscription subscribe(Kind kind, List<String> channels, int bufferMax) {
    if (channels.isEmpty()) throw new IllegalArgumentException("no channels");
    Subscription subscription = new Subscription(this, kind, channels, bufferMax);
    runOnLoop(() -> add(subscription), () -> subscription.end(closed()));
    return subscription;
  }

  void remove(Subscription subscription) {
    runOnLoop(() -> drop(subscription), () -> {});
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

  private ClientClosedException closed() {
    return new ClientClosedException("client closed: address=" + options.address(), null);
  }

  // ---- on the loop

  private void add(Subscription subscription) {
    if (isClosed) {
      subscription.end(closed());
      return;
    }
    Kind kind = subscription.kind();
    List<String> fresh = new ArrayList<>();
    for (String channel : subscription.channels()) {
      Set<Subscription> known = listeners(kind, channel);
      if (known.isEmpty()) fresh.add(channel);
      else if (of(confirmed, kind).contains(channel)) subscription.onConfirmed(channel);
      of(kind).computeIfAbsent(channel, name -> new LinkedHashSet<>()).add(subscription);
    }
    Link current = link;
    if (current == null) openLink();
    else if (current.isReady()) request(current, kind.subscribe, fresh);
  }

  private void drop(Subscription subscription) {
    Kind kind = subscription.kind();
    List<String> unwanted = new ArrayList<>();
    for (String channel : subscription.channels()) {
      Set<Subscription> listeners = listeners(kind, channel);
      if (listeners.remove(subscription) && listeners.isEmpty()) {
        of(kind).remove(channel);
        of(confirmed, kind).remove(channel);
        unwanted.add(channel);
      }
    }
    Link current = link;
    if (current != null && current.isReady()) request(current, kind.unsubscribe, unwanted);
  }

  private void openLink() {
    Link opened = new Link(options, connector, true, this, connector.deferred());
    link = opened;
    opened.open();
  }

  @Override
  public boolean expectsPushes() {
    return true;
  }

  @Override
  public void onReady() {
    Link current = link;
    if (current == null) return;
    if (current.respVersion() == 2) current.expectPushesOnly();
    for (Kind kind : Kind.values()) request(current, kind.subscribe, of(kind).keySet());
    if (wasLost) tellAll(new SubscriptionEvent.Resumed());
    wasLost = false;
  }

  @Override
  public void onLost(RedisException cause) {
    if (isClosed || wasLost) return;
    wasLost = true;
    confirmed.values().forEach(Set::clear);
    tellAll(new SubscriptionEvent.Lost(cause));
  }

  /** Arrays in RESP2, pushes in RESP3: kind, then channel or pattern, and so on. */
  @Override
  public void onPush(ReplyReader in) {
    if (in.type() != ReplyType.PUSH && in.type() != ReplyType.ARRAY) return;
    int count = in.readArray();
    String what = count < 3 ? "" : in.readString();
    switch (what == null ? "" : what) {
      case "message" -> onMessage(Kind.CHANNEL, null, in);
      case "pmessage" -> onMessage(Kind.PATTERN, in.readString(), in);
      case "subscribe" -> onConfirmed(Kind.CHANNEL, in.readString());
      case "psubscribe" -> onConfirmed(Kind.PATTERN, in.readString());
      default -> {} // unsubscribed, or a push of another kind
    }
  }

  private void onMessage(Kind kind, @Nullable String pattern, ReplyReader in) {
    String channel = in.readString();
    byte[] payload = in.readBytes();
    if (channel == null || payload == null) return;
    SubscriptionEvent message = new SubscriptionEvent.Message(pattern, channel, payload);
    for (Subscription each : listeners(kind, pattern == null ? channel : pattern)) each.on(message);
  }

  private void onConfirmed(Kind kind, @Nullable String channel) {
    if (channel == null || !of(kind).containsKey(channel)) return;
    of(confirmed, kind).add(channel);
    for (Subscription each : listeners(kind, channel)) each.onConfirmed(channel);
  }

  private void closeOnLoop() {
    isClosed = true;
    for (Subscription each : everyone()) each.end(closed());
    Link current = link;
    if (current != null) current.close();
  }

  private void tellAll(SubscriptionEvent event) {
    for (Subscription each : everyone()) each.on(event);
  }

  private Set<Subscription> everyone() {
    Set<Subscription> all = new HashSet<>();
    for (Map<String, Set<Subscription>> channels : wanted.values()) {
      channels.values().forEach(all::addAll);
    }
    return all;
  }

  private static void request(Link link, String verb, Collection<String> channels) {
    if (channels.isEmpty()) return;
    CommandBuilder builder = CommandBuilder.of(verb);
    for (String channel : channels) builder.text(channel);
    link.writeUnqueued(builder.build(Replies.ok()));
  }

  private Map<String, Set<Subscription>> of(Kind kind) {
    return of(wanted, kind);
  }

  private static <T> T of(Map<Kind, T> map, Kind kind) {
    return java.util.Objects.requireNonNull(map.get(kind));
  }

  private Set<Subscription> listeners(Kind kind, String channel) {
    Set<Subscription> known = of(kind).get(channel);
    return known == null ? Set.of() : known;
  }
}
