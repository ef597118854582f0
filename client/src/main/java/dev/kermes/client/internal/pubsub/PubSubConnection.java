package dev.kermes.client.internal.pubsub;

import dev.kermes.client.RedisException;
import dev.kermes.client.ServerErrorException;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.internal.command.EncodedCommand;
import dev.kermes.client.internal.connection.PipelinedConnection;
import dev.kermes.client.internal.routing.Node;
import dev.kermes.client.internal.routing.Topic;
import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server that carries only subscriptions. Each topic is requested by its own
 * command, so an answer always belongs to the first unanswered request. Owned by the event loop; it
 * does not reconnect.
 */
final class PubSubConnection implements PipelinedConnection.Listener {
  private static final EncodedCommand<?> PING = EncodedCommand.of("PING");

  private final PubSub owner;
  private final Node node;
  private final PipelinedConnection connection;
  private final Set<Topic> topics = new LinkedHashSet<>();
  private final ArrayDeque<Request> unansweredRequests = new ArrayDeque<>();
  private int silentRounds;
  private boolean isClosed;

  /** A request that has not been answered yet; answers come in order. */
  private sealed interface Request {
    record Listen(Topic topic) implements Request {}

    /** A check whether the server is alive. */
    record Ping() implements Request {}

    record LogIn(CompletableFuture<?> done) implements Request {}
  }

  PubSubConnection(PubSub owner, Node node) {
    this.owner = owner;
    this.node = node;
    connection =
        new PipelinedConnection(
            node.options(), node.connector(), false, this, node.connector().callbacks());
    connection.open();
    scheduleHealthCheck();
  }

  // ---- health check

  /** Pings a server that has sent nothing, and closes the connection if it does not answer. */
  private void healthCheck() {
    if (isClosed) return;
    if (connection.getAndClearHasRead() || !connection.isReady()) silentRounds = 0;
    else if (++silentRounds >= 2) connection.closeForSilence();
    else if (unansweredRequests.isEmpty()) ask(new Request.Ping(), PING);
    scheduleHealthCheck();
  }

  private void ask(Request what, EncodedCommand<?> command) {
    unansweredRequests.add(what);
    connection.writeUnqueued(command);
  }

  /** Three rounds make up the time that a peer may be silent. */
  private void scheduleHealthCheck() {
    long nanos = node.options().deadPeerTimeout().toNanos() / 3;
    if (nanos == 0) return;
    node.connector().loop().schedule(this::healthCheck, nanos, TimeUnit.NANOSECONDS);
  }

  // ---- topics

  Node node() {
    return node;
  }

  Set<Topic> topics() {
    return topics;
  }

  void subscribe(Topic topic) {
    if (topics.add(topic) && connection.isReady()) request(topic);
  }

  void unsubscribe(Topic topic) {
    if (!topics.remove(topic)) return;
    if (topic.kind() == Topic.Kind.MONITOR) close();
    else if (connection.isReady()) connection.writeUnqueued(topic.unsubscribe());
  }

  private void request(Topic topic) {
    ask(new Request.Listen(topic), topic.subscribe());
  }

  /**
   * Logs in again. In RESP2, where a subscribed connection accepts no other command, by a new
   * connection, which fetches the credentials itself.
   */
  void logIn(EncodedCommand<?> auth, CompletableFuture<?> done) {
    if (connection.isReady() && connection.respVersion() == 3) {
      ask(new Request.LogIn(done), auth);
      return;
    }
    connection.closeChannel(new IOException("logs in again"));
    owner.completeOnExecutor(done, null);
  }

  void close() {
    isClosed = true;
    connection.close();
  }

  @Override
  public boolean expectsPushes() {
    return true;
  }

  @Override
  public void onReady() {
    connection.expectPushesOnly();
    topics.forEach(this::request);
  }

  @Override
  public void onLost(RedisException cause) {
    isClosed = true;
    for (Request each : unansweredRequests) {
      if (each instanceof Request.LogIn login) owner.completeOnExecutor(login.done(), null);
    }
    owner.onLost(this, cause);
  }

  /** Handles an array (RESP2) or push (RESP3): its type, then the channel or pattern, and so on. */
  @Override
  public void onPush(ReplyReader in) {
    if (in.type() == ReplyType.ERROR) {
      onAnswer(new ServerErrorException(in.readError()));
      return;
    }
    boolean isAboutTopic = in.type() == ReplyType.PUSH || in.type() == ReplyType.ARRAY;
    if (!isAboutTopic) {
      onStatus(in.readBytes());
      return;
    }
    if (in.readArray() < 3) {
      onAnswer(null); // PONG in RESP2
      return;
    }
    String what = in.readString();
    switch (what == null ? "" : what) {
      case "message" -> onMessage(Topic.Kind.CHANNEL, null, in);
      case "pmessage" -> onMessage(Topic.Kind.PATTERN, in.readString(), in);
      case "smessage" -> onMessage(Topic.Kind.SHARD, null, in);
      case "subscribe" -> onConfirmed(Topic.Kind.CHANNEL, in.readString());
      case "psubscribe" -> onConfirmed(Topic.Kind.PATTERN, in.readString());
      case "ssubscribe" -> onConfirmed(Topic.Kind.SHARD, in.readString());
      case "sunsubscribe" -> onServerUnsubscribed(in.readString());
      default -> {} // unsubscribed, or a push of another type
    }
  }

  private void onMessage(Topic.Kind kind, @Nullable String pattern, ReplyReader in) {
    String channel = in.readString();
    byte[] payload = in.readBytes();
    if (channel == null || payload == null) return;
    Topic topic = new Topic(kind, pattern == null ? channel : pattern);
    owner.onMessage(topic, new SubscriptionEvent.Message(pattern, channel, payload));
  }

  private void onConfirmed(Topic.Kind kind, @Nullable String name) {
    if (name == null) return;
    unansweredRequests.poll();
    Topic topic = new Topic(kind, name);
    if (topics.contains(topic)) owner.onConfirmed(topic);
  }

  /** OK and PONG are answers; anything else is a line of MONITOR. */
  private void onStatus(byte @Nullable [] text) {
    if (text == null) return;
    boolean isLine = text.length > 0 && Character.isDigit(text[0]);
    if (!isLine) onAnswer(null);
    else for (Topic each : topics) owner.onMessage(each, line(each, text));
  }

  private static SubscriptionEvent.Message line(Topic topic, byte[] text) {
    return new SubscriptionEvent.Message(null, topic.name(), text);
  }

  private void onAnswer(@Nullable ServerErrorException refusal) {
    switch (unansweredRequests.poll()) {
      case Request.Listen listen when refusal != null -> {
        if (topics.remove(listen.topic())) owner.onRefused(listen.topic(), refusal, node);
      }
      case Request.Listen listen -> owner.onConfirmed(listen.topic());
      case Request.LogIn login -> owner.completeOnExecutor(login.done(), refusal);
      case Request.Ping ping -> {} // an error is an answer, too
      case null -> {}
    }
  }

  /**
   * Handles the end of a shard subscription: the server ends it when the slot moves away, and it
   * confirms our own unsubscribing in the same way.
   */
  private void onServerUnsubscribed(@Nullable String name) {
    if (name == null) return;
    Topic topic = new Topic(Topic.Kind.SHARD, name);
    if (unansweredRequests.contains(new Request.Listen(topic)) || !topics.remove(topic)) return;
    owner.onMoved(topic);
  }
}
