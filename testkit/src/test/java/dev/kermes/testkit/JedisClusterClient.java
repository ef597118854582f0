package dev.kermes.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import redis.clients.jedis.ClusterPipeline;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisShardedPubSub;
import redis.clients.jedis.Transaction;

/** Jedis. */
final class JedisClusterClient implements ClusterClient {

  private static final int TIMEOUT_MILLIS = 2000;
  private static final int ATTEMPTS = 20;

  private final JedisCluster jedis;
  private final List<Runnable> ends = new ArrayList<>();

  JedisClusterClient(KermesCluster cluster) {
    KermesCluster.Node node = cluster.node(0);
    jedis = new JedisCluster(new HostAndPort(node.host(), node.port()), TIMEOUT_MILLIS, ATTEMPTS);
  }

  @Override
  public void set(String key, String value) {
    jedis.set(key, value);
  }

  @Override
  public String get(String key) {
    return jedis.get(key);
  }

  @Override
  public void setAll(Map<String, String> values) {
    try (ClusterPipeline pipeline = jedis.pipelined()) {
      values.forEach(pipeline::set);
    }
  }

  @Override
  public List<Object> transaction(String tag, String value) {
    try (Transaction transaction =
        new Transaction(jedis.getConnectionFromSlot(KermesCluster.slot(tag)), true, true)) {
      transaction.set("{" + tag + "}text", value);
      transaction.incr("{" + tag + "}number");
      return transaction.exec();
    }
  }

  @Override
  public boolean setReplicated(String key, String value) {
    set(key, value); // learns of a new master, which the connection of a node does not
    try (Jedis node = new Jedis(jedis.getConnectionFromSlot(KermesCluster.slot(key)))) {
      node.set(key, value);
      return node.waitReplicas(1, TIMEOUT_MILLIS) >= 1;
    }
  }

  @Override
  public void subscribe(String channel, Consumer<String> receiver) throws InterruptedException {
    CountDownLatch isSubscribed = new CountDownLatch(1);
    JedisPubSub subscriber =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String name, int count) {
            isSubscribed.countDown();
          }

          @Override
          public void onMessage(String name, String message) {
            receiver.accept(message);
          }
        };
    Thread.ofVirtual().start(() -> jedis.subscribe(subscriber, channel));
    isSubscribed.await();
    ends.add(subscriber::unsubscribe);
  }

  @Override
  public void subscribeToShard(String channel, Consumer<String> receiver)
      throws InterruptedException {
    CountDownLatch isSubscribed = new CountDownLatch(1);
    JedisShardedPubSub subscriber =
        new JedisShardedPubSub() {
          @Override
          public void onSSubscribe(String name, int count) {
            isSubscribed.countDown();
          }

          @Override
          public void onSMessage(String name, String message) {
            receiver.accept(message);
          }
        };
    Thread.ofVirtual().start(() -> jedis.ssubscribe(subscriber, channel));
    isSubscribed.await();
    ends.add(subscriber::sunsubscribe);
  }

  @Override
  public void publish(String channel, String message) {
    jedis.publish(channel, message);
  }

  @Override
  public void publishToShard(String channel, String message) {
    jedis.spublish(channel, message);
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
    jedis.close();
  }
}
