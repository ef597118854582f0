package dev.kermes.testkit;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.masterreplica.MasterReplica;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lettuce: writes by its connection to the master, reads by one that also knows the replicas. */
final class LettuceSentinelClient implements SentinelClient {

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final StatefulRedisMasterReplicaConnection<String, String> replicated;
  private final StatefulRedisPubSubConnection<String, String> subscriptions;

  LettuceSentinelClient(String master, Set<String> sentinels) {
    RedisURI uri =
        RedisURI.create(
            "redis-sentinel://" + String.join(",", sentinels) + "?sentinelMasterId=" + master);
    uri.setTimeout(Duration.ofSeconds(3));
    client = RedisClient.create();
    connection = client.connect(uri);
    replicated = MasterReplica.connect(client, StringCodec.UTF8, uri);
    replicated.setReadFrom(ReadFrom.UPSTREAM);
    subscriptions = client.connectPubSub(uri);
  }

  @Override
  public void set(String key, String value) {
    connection.sync().set(key, value);
  }

  @Override
  public synchronized boolean setReplicated(String key, String value) {
    connection.sync().set(key, value);
    return connection.sync().waitForReplication(1, 2000) >= 1;
  }

  @Override
  public @Nullable String get(String key) {
    return replicated.sync().get(key);
  }

  @Override
  public void setAll(Map<String, String> values) {
    List<RedisFuture<String>> replies = new ArrayList<>();
    values.forEach((key, value) -> replies.add(connection.async().set(key, value)));
    boolean isDone =
        LettuceFutures.awaitAll(10, TimeUnit.SECONDS, replies.toArray(RedisFuture[]::new));
    if (!isDone) throw new AssertionError("no replies");
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
  public void publish(String channel, String message) {
    connection.sync().publish(channel, message);
  }

  @Override
  public void close() {
    subscriptions.close();
    replicated.close();
    connection.close();
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
