package dev.kermes.testkit;

import dev.kermes.client.Codec;
import dev.kermes.client.Command;
import dev.kermes.client.Commands;
import dev.kermes.client.DedicatedConnection;
import dev.kermes.client.RedisClient;
import dev.kermes.client.Subscription;
import dev.kermes.client.SubscriptionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Our own client. */
final class KermesSentinelClient implements SentinelClient {

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  private final RedisClient redis;
  private final List<Subscription> subscriptions = new ArrayList<>();

  KermesSentinelClient(String master, Set<String> sentinels) {
    redis =
        RedisClient.open("redis-sentinel://" + String.join(",", sentinels) + "?master=" + master);
  }

  @Override
  public void set(String key, String value) {
    redis.blocking().set(key, value);
  }

  @Override
  public boolean setReplicated(String key, String value) {
    try (DedicatedConnection own = redis.dedicated().toCompletableFuture().join()) {
      Object unused = own.send(Command.of("SET", key, value)).join();
      return own.send(Command.of("WAIT", "1", "2000")).join() instanceof Long count && count >= 1;
    }
  }

  @Override
  public @Nullable String get(String key) {
    return redis.blocking().get(key);
  }

  @Override
  public void setAll(Map<String, String> values) {
    List<Command<String>> batch = new ArrayList<>();
    values.forEach((key, value) -> batch.add(COMMANDS.set(key, value)));
    List<?> replies = redis.sendAll(batch).join();
    if (replies.size() != values.size()) throw new AssertionError("replies: " + replies.size());
  }

  @Override
  public void subscribe(String channel, Consumer<String> receiver) {
    Subscription subscription = redis.subscribe(channel);
    subscription.confirmed().toCompletableFuture().join();
    subscriptions.add(subscription);
    Thread.ofVirtual().start(() -> receiveAll(subscription, receiver));
  }

  private static void receiveAll(Subscription subscription, Consumer<String> receiver) {
    try {
      for (SubscriptionEvent event = subscription.take(); event != null; ) {
        if (event instanceof SubscriptionEvent.Message message) receiver.accept(message.text());
        event = subscription.take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void publish(String channel, String message) {
    redis.blocking().publish(channel, message);
  }

  @Override
  public void close() {
    subscriptions.forEach(Subscription::close);
    redis.close();
  }
}
