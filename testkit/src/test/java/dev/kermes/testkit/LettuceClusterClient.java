package dev.kermes.testkit;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Lettuce. */
final class LettuceClusterClient implements ClusterClient {

  private final RedisClusterClient client;
  private final StatefulRedisClusterConnection<String, String> connection;
  private final StatefulRedisClusterPubSubConnection<String, String> subscriptions;

  LettuceClusterClient(KermesCluster cluster) {
    client =
        RedisClusterClient.create(
            RedisURI.builder()
                .withHost(cluster.node(0).host())
                .withPort(cluster.node(0).port())
                .withTimeout(Duration.ofSeconds(5))
                .build());
    client.setOptions(
        ClusterClientOptions.builder()
            .maxRedirects(20)
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(50))
                    .enablePeriodicRefresh(Duration.ofMillis(500))
                    .build())
            .build());
    connection = client.connect();
    subscriptions = client.connectPubSub();
  }

  @Override
  public void set(String key, String value) {
    connection.sync().set(key, value);
  }

  @Override
  public String get(String key) {
    return connection.sync().get(key);
  }

  @Override
  public void setAll(Map<String, String> values) {
    List<RedisFuture<String>> replies = new ArrayList<>();
    values.forEach((key, value) -> replies.add(connection.async().set(key, value)));
    LettuceFutures.awaitAll(10, TimeUnit.SECONDS, replies.toArray(RedisFuture[]::new));
  }

  private RedisCommands<String, String> nodeOf(String key) {
    RedisClusterNode node = connection.getPartitions().getPartitionBySlot(KermesCluster.slot(key));
    return connection.getConnection(node.getNodeId()).sync();
  }

  @Override
  public List<Object> transaction(String tag, String value) {
    RedisCommands<String, String> node = nodeOf(tag);
    node.multi();
    node.set("{" + tag + "}text", value);
    node.incr("{" + tag + "}number");
    return node.exec().stream().toList();
  }

  @Override
  public boolean setReplicated(String key, String value) {
    set(key, value); // learns of a new master, which the connection of a node does not
    RedisCommands<String, String> node = nodeOf(key);
    node.set(key, value);
    return node.waitForReplication(1, 2000) >= 1;
  }

  @Override
  public void subscribe(String channel, Consumer<String> receiver) {
    subscriptions.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String name, String message) {
            if (name.equals(channel)) receiver.accept(message);
          }
        });
    subscriptions.sync().subscribe(channel);
  }

  @Override
  public void subscribeToShard(String channel, Consumer<String> receiver) {
    subscriptions.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void smessage(String name, String message) {
            if (name.equals(channel)) receiver.accept(message);
          }
        });
    subscriptions.sync().ssubscribe(channel);
  }

  @Override
  public void publish(String channel, String message) {
    connection.sync().publish(channel, message);
  }

  @Override
  public void publishToShard(String channel, String message) {
    connection.sync().spublish(channel, message);
  }

  @Override
  public void close() {
    subscriptions.close();
    connection.close();
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
