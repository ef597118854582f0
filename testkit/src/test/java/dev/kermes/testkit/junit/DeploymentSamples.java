package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.RedisClient;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Test classes that {@link DeploymentExtensionTest} runs, with JUnit 5 and with JUnit 6. */
final class DeploymentSamples {

  /** The ports of the first nodes that the samples used. */
  static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

  private DeploymentSamples() {}

  @KermesClusterTest
  static class EachTest {
    @Test
    void first(KermesCluster cluster, RedisClient redis) {
      PORTS.add(cluster.node(0).port());
      assertThat(cluster.nodes()).hasSize(6);
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }

    @Test
    void second(KermesCluster cluster, RedisClient redis) {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
      cluster.kill(cluster.masterOf(KermesCluster.slot("visits")));
    }

    @Test
    void parameters(KermesCluster cluster, RedisClient redis, Faults faults, @RedisUrl String url) {
      assertThat(redis).isSameAs(cluster.client());
      assertThat(faults).isSameAs(cluster.faults());
      assertThat(url).isEqualTo(cluster.url());
      faults.on("INCR").error("OOM no memory");
    }

    @Nested
    class Inner {
      @Test
      void sharesTheCluster(KermesCluster cluster) {
        PORTS.add(cluster.node(0).port());
        assertThat(cluster.client().blocking().incr("visits")).isEqualTo(1);
      }
    }
  }

  @KermesClusterTest(reset = Reset.EACH_CLASS)
  static class EachClass {
    @BeforeAll
    static void fill(KermesCluster cluster) {
      PORTS.add(cluster.node(0).port());
      assertThat(cluster.client().blocking().incr("visits")).isEqualTo(1);
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

  @KermesClusterTest(masters = 1, replicas = 0)
  static class Small {
    @Test
    void hasOneNode(KermesCluster cluster) {
      PORTS.add(cluster.node(0).port());
      assertThat(cluster.nodes()).hasSize(1);
    }
  }

  static class Registered {
    @RegisterExtension
    static final KermesClusterExtension REDIS =
        KermesClusterExtension.of(KermesCluster.builder().masters(1).option("maxmemory", "10mb"));

    @Test
    void hasAClusterOfItsOwn(RedisClient redis, Faults faults) {
      PORTS.add(REDIS.cluster().node(0).port());
      assertThat(redis.blocking().configGet("maxmemory")).containsEntry("maxmemory", "10485760");
      assertThat(faults).isSameAs(REDIS.cluster().faults());
    }
  }

  @KermesClusterTest(masters = 1, replicas = 0)
  static class Failing {
    @Test
    void fails(RedisClient redis) {
      redis.blocking().set("visits", "one");
      redis.blocking().incr("visits");
    }
  }

  // Sentinels

  @KermesSentinelTest
  static class Watched {
    @Test
    void first(KermesSentinel sentinel, RedisClient redis, Faults faults, @RedisUrl String url) {
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
      assertThat(faults).isSameAs(sentinel.faults());
      assertThat(url).isEqualTo(sentinel.url());
      sentinel.failover();
    }

    @Test
    void second(KermesSentinel sentinel, RedisClient redis) {
      assertThat(sentinel.master()).isSameAs(sentinel.node(0));
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
    }
  }

  static class RegisteredSentinel {
    @RegisterExtension
    static final KermesSentinelExtension REDIS =
        KermesSentinelExtension.of(KermesSentinel.builder().replicas(2).sentinels(1));

    @Test
    void hasItsOwn(KermesSentinel sentinel) {
      assertThat(sentinel).isSameAs(REDIS.sentinel());
      assertThat(sentinel.replicas()).hasSize(2);
    }
  }

  // At the same time

  private static final CyclicBarrier BOTH = new CyclicBarrier(2);

  private static void atTheSameTime(KermesCluster cluster) throws Exception {
    PORTS.add(cluster.node(0).port());
    assertThat(cluster.client().blocking().incr("visits")).isEqualTo(1);
    BOTH.await(20, TimeUnit.SECONDS);
  }

  @KermesClusterTest(masters = 1, replicas = 0)
  @Execution(ExecutionMode.CONCURRENT)
  static class Left {
    @Test
    void test(KermesCluster cluster) throws Exception {
      atTheSameTime(cluster);
    }
  }

  @KermesClusterTest(masters = 1, replicas = 0)
  @Execution(ExecutionMode.CONCURRENT)
  static class Right {
    @Test
    void test(KermesCluster cluster) throws Exception {
      atTheSameTime(cluster);
    }
  }
}
