package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.Clock;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import dev.kermes.testkit.junit.KermesTest.Reset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Test classes that {@link DeploymentExtensionTest} runs, with JUnit 5 and with JUnit 6. */
final class DeploymentSamples {

  private DeploymentSamples() {}

  @KermesClusterTest
  static class EachTest extends SampleBodies.EachTest {
    @Test
    void changed(KermesCluster cluster, RedisClient redis) {
      assertThat(cluster.nodes()).hasSize(6);
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
      cluster.kill(cluster.masterOf(KermesCluster.slot("visits")));
    }

    @Test
    void parameters(
        KermesCluster cluster,
        RedisClient redis,
        ManualClock clock,
        Faults faults,
        @RedisUrl String url) {
      assertThat(redis).isSameAs(cluster.client());
      assertThat(clock).isSameAs(cluster.clock());
      assertThat(faults).isSameAs(cluster.faults());
      assertThat(url).isEqualTo(cluster.url());
      faults.on("INCR").error("OOM no memory");
    }

    @Nested
    class Inner {
      @Test
      void sharesTheCluster(KermesCluster cluster) {
        assertThat(SampleBodies.URLS.add(cluster.url())).isFalse();
        assertThat(cluster.client().blocking().incr("visits")).isEqualTo(1);
      }
    }
  }

  @KermesClusterTest(reset = Reset.EACH_CLASS)
  static class EachClass extends SampleBodies.EachClass {}

  @KermesClusterTest(masters = 1, replicas = 0)
  static class Small {
    @Test
    void hasOneNode(KermesCluster cluster) {
      SampleBodies.URLS.add(cluster.url());
      assertThat(cluster.nodes()).hasSize(1);
    }
  }

  @KermesClusterTest(masters = 1, replicas = 0, realTime = true)
  static class RealTime {
    @Test
    void hasNoClock(KermesCluster cluster) {
      SampleBodies.URLS.add(cluster.url());
      assertThatThrownBy(cluster::clock).hasMessageContaining("real time");
    }
  }

  static class Registered {
    @RegisterExtension
    static final KermesClusterExtension REDIS =
        KermesClusterExtension.of(KermesCluster.builder().masters(1).option("maxmemory", "10mb"));

    @Test
    void hasAClusterOfItsOwn(RedisClient redis, Faults faults) {
      SampleBodies.URLS.add(REDIS.cluster().url());
      assertThat(redis.blocking().configGet("maxmemory")).containsEntry("maxmemory", "10485760");
      assertThat(faults).isSameAs(REDIS.cluster().faults());
    }
  }

  @KermesClusterTest(masters = 1, replicas = 0)
  static class Failing extends SampleBodies.Failing {}

  @KermesClusterTest(masters = 1, replicas = 0)
  @Execution(ExecutionMode.CONCURRENT)
  static class Left extends SampleBodies.AtTheSameTime {}

  @KermesClusterTest(masters = 1, replicas = 0)
  @Execution(ExecutionMode.CONCURRENT)
  static class Right extends SampleBodies.AtTheSameTime {}

  // Sentinels

  @KermesSentinelTest
  static class Watched extends SampleBodies.EachTest {
    @Test
    void changed(KermesSentinel sentinel, RedisClient redis, Faults faults, @RedisUrl String url) {
      assertThat(sentinel.master()).isSameAs(sentinel.node(0));
      assertThat(redis.blocking().incr("visits")).isEqualTo(1);
      assertThat(faults).isSameAs(sentinel.faults());
      assertThat(url).isEqualTo(sentinel.url());
      sentinel.failover();
    }
  }

  static class RegisteredSentinel {
    private static final ManualClock CLOCK = Clock.manual(1_700_000_000_000L);

    @RegisterExtension
    static final KermesSentinelExtension REDIS =
        KermesSentinelExtension.of(KermesSentinel.builder().replicas(2).sentinels(1).clock(CLOCK));

    @Test
    void hasItsOwn(KermesSentinel sentinel, ManualClock clock) {
      assertThat(sentinel).isSameAs(REDIS.sentinel());
      assertThat(sentinel.replicas()).hasSize(2);
      assertThat(clock).isSameAs(CLOCK);
    }
  }
}
