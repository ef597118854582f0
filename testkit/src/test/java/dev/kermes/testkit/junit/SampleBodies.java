package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Test classes for any deployment; {@link Samples} and {@link DeploymentSamples} annotate them. */
final class SampleBodies {

  /** The URLs of the deployments that the samples used. */
  static final Set<String> URLS = ConcurrentHashMap.newKeySet();

  private SampleBodies() {}

  /** Passes only if the deployment is reset before each test. */
  abstract static class EachTest {
    @Test
    void first(RedisClient redis, @RedisUrl String url) {
      URLS.add(url);
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void second(RedisClient redis) {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }
  }

  /** Passes only if the deployment is reset before the class alone. */
  abstract static class EachClass {
    @BeforeAll
    static void fill(RedisClient redis, @RedisUrl String url) {
      URLS.add(url);
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void first(RedisClient redis) {
      assertThat(redis.blocking().get("visits")).isEqualTo("1");
    }

    @Test
    void second(RedisClient redis) {
      assertThat(redis.blocking().get("visits")).isEqualTo("1");
    }
  }

  /** Fails. */
  abstract static class Failing {
    @Test
    void fails(RedisClient redis) {
      redis.blocking().set("visits", "one");
      redis.blocking().incr("visits");
    }
  }

  /** Passes only if two classes run at the same time with a deployment each, and methods do not. */
  abstract static class AtTheSameTime {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);
    private static final Map<Class<?>, AtomicInteger> RUNNING = new ConcurrentHashMap<>();

    @Test
    void first(RedisClient redis, @RedisUrl String url) throws Exception {
      meetTheOther(redis, url);
    }

    @Test
    void second(RedisClient redis, @RedisUrl String url) throws Exception {
      meetTheOther(redis, url);
    }

    private void meetTheOther(RedisClient redis, String url)
        throws InterruptedException, BrokenBarrierException, TimeoutException {
      AtomicInteger running = RUNNING.computeIfAbsent(getClass(), each -> new AtomicInteger());
      URLS.add(url);
      assertThat(running.incrementAndGet()).isEqualTo(1);
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
      BOTH.await(20, TimeUnit.SECONDS);
      running.decrementAndGet();
    }
  }
}
