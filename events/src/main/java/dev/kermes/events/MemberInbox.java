package dev.kermes.events;

import dev.kermes.client.Codec;
import dev.kermes.client.CommandBuilder;
import dev.kermes.client.Deployment;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Replies;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The channel by which a member receives requests and answers. In a cluster it is a shard channel,
 * because only there PUBLISH knows all receivers. Any thread.
 */
final class MemberInbox implements AutoCloseable {

  /** 10,000 messages that have not been looked at; looking is quick, handlers run elsewhere. */
  private static final int BUFFER_MAX = 10_000;

  private final RedisClient redis;
  private final boolean isSharded;
  private final Subscription subscription;

  private MemberInbox(RedisClient redis, String member) {
    this.redis = redis;
    isSharded = isSharded(redis);
    List<String> channels = List.of(channel(member));
    SubscriptionOptions buffer = SubscriptionOptions.ofBuffer(BUFFER_MAX);
    subscription =
        isSharded ? redis.ssubscribe(channels, buffer) : redis.subscribe(channels, buffer);
  }

  private static boolean isSharded(RedisClient redis) {
    return redis.options().deployment() instanceof Deployment.Cluster;
  }

  /** Begins to receive; the stage completes when the server knows the subscription. */
  static CompletionStage<MemberInbox> open(
      RedisClient redis, String member, Consumer<CallMessage> receiver) {
    MemberInbox inbox = new MemberInbox(redis, member);
    Thread unused =
        Thread.ofVirtual().name("kermes-inbox-" + member).start(() -> inbox.read(receiver));
    return inbox.subscription.confirmed().thenApply(confirmed -> inbox);
  }

  private static String channel(String member) {
    return "{" + member + "}:inbox";
  }

  private void read(Consumer<CallMessage> receiver) {
    try {
      for (var event = subscription.take(); event != null; event = subscription.take()) {
        if (event instanceof SubscriptionEvent.Message message) {
          CallMessage decoded = decode(message.payload());
          if (decoded != null) receiver.accept(decoded);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Others can publish anything in the channel. */
  private static @Nullable CallMessage decode(byte[] bytes) {
    try {
      return CallMessage.decode(bytes);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Sends a message to a member; completes with the number of receivers, 0 or 1. */
  CompletionStage<Long> send(String member, CallMessage message) {
    return redis.send(
        CommandBuilder.of(isSharded ? "SPUBLISH" : "PUBLISH")
            .key(Codec.utf8(), channel(member))
            .bytes(message.encode())
            .build(Replies.integer()));
  }

  @Override
  public void close() {
    subscription.close();
  }
}
