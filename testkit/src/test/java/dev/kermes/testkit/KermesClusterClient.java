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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Our own client. */
final class KermesClusterClient implements ClusterClient {

  private static final Commands<String, String> COMMANDS =
      new Commands<>(Codec.utf8(), Codec.utf8());

  private final RedisClient redis;
  private final List<Subscription> subscriptions = new ArrayList<>();

  KermesClusterClient(KermesCluster cluster) {
    redis = RedisClient.open(cluster.url());
  }

  @Override
  public void set(String key, String value) {
    redis.blocking().set(key, value);
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
  public List<Object> transaction(String tag, String value) {
    return List.copyOf(
        redis
            .transaction(
                List.of(
                    COMMANDS.set("{" + tag + "}text", value), COMMANDS.incr("{" + tag + "}number")))
            .join()
            .replies());
  }

  @Override
  public boolean setReplicated(String key, String value) {
    set(key, value); // learns of a new master, which the connection of a node does not
    try (DedicatedConnection own = redis.dedicated(key).toCompletableFuture().join()) {
      Object unused = own.send(Command.of("SET", key, value)).join();
      return own.send(Command.of("WAIT", "1", "2000")).join() instanceof Long count && count >= 1;
    }
  }

  @Override
  public void subscribe(String channel, Consumer<String> receiver) {
    receive(redis.subscribe(channel), receiver);
  }

  @Override
  public void subscribeToShard(String channel, Consumer<String> receiver) {
    receive(redis.ssubscribe(channel), receiver);
  }

  private void receive(Subscription subscription, Consumer<String> receiver) {
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
  public void publishToShard(String channel, String message) {
    redis.blocking().spublish(channel, message);
  }

  @Override
  public void close() {
    subscriptions.forEach(Subscription::close);
    redis.close();
  }
}
