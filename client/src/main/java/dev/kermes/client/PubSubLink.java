package dev.kermes.client;

import dev.kermes.resp.ReplyReader;
import dev.kermes.resp.ReplyType;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server that carries subscriptions and nothing else. Each topic is requested
 * by a command of its own, so that an answer always belongs to the first request that has none.
 * Owned by the event loop; once lost it stays lost.
 */
final class PubSubLink implements Link.Listener {
  private final PubSub owner;
  private final Node node;
  private final Link link;
  private final Set<Topic> topics = new LinkedHashSet<>();
  private final ArrayDeque<Topic> unanswered = new ArrayDeque<>();

  PubSubLink(PubSub owner, Node node) {
    this.owner = owner;
    this.node = node;
    link = new Link(node.options(), node.connector(), false, this, node.connector().deferred());
    link.open();
  }

  Node node() {
    return node;
  }

  Set<Topic> topics() {
    return topics;
  }

  void subscribe(Topic topic) {
    if (topics.add(topic) && link.isReady()) request(topic);
  }

  void unsubscribe(Topic topic) {
    if (topics.remove(topic) && link.isReady()) link.writeUnqueued(topic.unsubscribe());
  }

  private void request(Topic topic) {
    unanswered.add(topic);
    link.writeUnqueued(topic.subscribe());
  }

  void close() {
    link.close();
  }

  @Override
  public boolean expectsPushes() {
    return true;
  }

  @Override
  public void onReady() {
    link.expectPushesOnly();
    topics.forEach(this::request);
  }

  @Override
  public void onLost(RedisException cause) {
    owner.onLost(this, cause);
  }

  /** Arrays in RESP2, pushes in RESP3: what it is, then channel or pattern, and so on. */
  @Override
  public void onPush(ReplyReader in) {
    if (in.type() == ReplyType.ERROR) {
      onRefused(new ServerErrorException(in.readError()));
      return;
    }
    if (in.type() != ReplyType.PUSH && in.type() != ReplyType.ARRAY) return;
    int count = in.readArray();
    String what = count < 3 ? "" : in.readString();
    switch (what == null ? "" : what) {
      case "message" -> onMessage(Topic.Kind.CHANNEL, null, in);
      case "pmessage" -> onMessage(Topic.Kind.PATTERN, in.readString(), in);
      case "smessage" -> onMessage(Topic.Kind.SHARD, null, in);
      case "subscribe" -> onConfirmed(Topic.Kind.CHANNEL, in.readString());
      case "psubscribe" -> onConfirmed(Topic.Kind.PATTERN, in.readString());
      case "ssubscribe" -> onConfirmed(Topic.Kind.SHARD, in.readString());
      case "sunsubscribe" -> onTaken(in.readString());
      default -> {} // unsubscribed, or a push of another kind
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
    unanswered.poll();
    Topic topic = new Topic(kind, name);
    if (topics.contains(topic)) owner.onConfirmed(topic);
  }

  private void onRefused(ServerErrorException error) {
    Topic topic = unanswered.poll();
    if (topic != null && topics.remove(topic)) owner.onRefused(topic, error, node);
  }

  /**
   * The server ends it by itself when the slot moves away; our own unsubscribing comes here too.
   */
  private void onTaken(@Nullable String name) {
    if (name == null) return;
    Topic topic = new Topic(Topic.Kind.SHARD, name);
    if (unanswered.contains(topic) || !topics.remove(topic)) return;
    owner.onMoved(topic);
  }
}
