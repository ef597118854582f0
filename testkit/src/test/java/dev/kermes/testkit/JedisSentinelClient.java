package dev.kermes.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.JedisSentinelPool;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Jedis. */
final class JedisSentinelClient implements SentinelClient {

  private static final int TIMEOUT_MILLIS = 2000;

  private final JedisSentinelPool pool;
  private final List<Runnable> ends = new ArrayList<>();

  JedisSentinelClient(String master, Set<String> sentinels) {
    pool = new JedisSentinelPool(master, sentinels);
    sentinels.forEach(JedisSentinelClient::awaitListener);
  }

  /**
   * Waits until the pool is subscribed at a sentinel that answers: it asks for the master before,
   * and would never hear of a change in between.
   */
  private static void awaitListener(String sentinel) {
    try (Jedis jedis = new Jedis(HostAndPort.from(sentinel))) {
      NodeProcess.await("heard at " + sentinel, () -> jedis.clientList().contains(" sub=1 "));
    } catch (JedisConnectionException e) {
      return; // killed or frozen
    }
  }

  @Override
  public void set(String key, String value) {
    try (Jedis jedis = pool.getResource()) {
      jedis.set(key, value);
    }
  }

  @Override
  public boolean setReplicated(String key, String value) {
    try (Jedis jedis = pool.getResource()) {
      jedis.set(key, value);
      return jedis.waitReplicas(1, TIMEOUT_MILLIS) >= 1;
    }
  }

  @Override
  public @Nullable String get(String key) {
    try (Jedis jedis = pool.getResource()) {
      return jedis.get(key);
    }
  }

  @Override
  public void setAll(Map<String, String> values) {
    try (Jedis jedis = pool.getResource();
        Pipeline pipeline = jedis.pipelined()) {
      values.forEach(pipeline::set);
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
    Thread.ofVirtual()
        .start(() -> {
          try (Jedis jedis = pool.getResource()) {
            jedis.subscribe(subscriber, channel);
          }
        });
    isSubscribed.await();
    ends.add(subscriber::unsubscribe);
  }

  @Override
  public void publish(String channel, String message) {
    try (Jedis jedis = pool.getResource()) {
      jedis.publish(channel, message);
    }
  }

  @Override
  public void close() {
    ends.forEach(Runnable::run);
    pool.close();
  }
}
