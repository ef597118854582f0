package dev.kermes.testkit.junit;

import dev.kermes.testkit.junit.KermesTest.Reset;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class that uses a Redis Cluster. Its methods, lifecycle methods and constructor may have
 * parameters of the types {@code KermesCluster}, {@code RedisClient}, {@code ManualClock} and
 * {@code Faults}, and a {@code String} with {@link RedisUrl}.
 *
 * <pre>{@code
 * @KermesClusterTest(masters = 3, replicas = 1)
 * class VisitsTest {
 *   @Test
 *   void visits_surviveAFailover(KermesCluster cluster, RedisClient redis) {
 *     redis.blocking().set("visits", "1");
 *     cluster.failover(cluster.node(3));
 *     assertThat(redis.blocking().get("visits")).isEqualTo("1");
 *   }
 * }
 * }</pre>
 *
 * Classes with the same settings that run one after another share one cluster, which is reset
 * before each test: if slots, roles or nodes have changed, it gets new nodes at the same ports.
 * Classes that run at the same time have one each. The methods of one class never run at the same
 * time. A test that fails reports its last commands and the keys.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KermesClusterExtension.class)
@ResourceLock(providers = OneMethodAtATime.class)
@SuppressWarnings("exports") // as KermesClusterExtension
public @interface KermesClusterTest {

  /** The number of masters by default. */
  int MASTERS = 3;

  /** The number of replicas of each master by default. */
  int REPLICAS = 1;

  /** The number of masters, which share the slots evenly. */
  int masters() default MASTERS;

  /** The number of replicas of each master. */
  int replicas() default REPLICAS;

  /** Whether the clock of its nodes runs; otherwise it stands until a test moves it. */
  boolean realTime() default false;

  /** The times at which the cluster is reset; before each test by default. */
  Reset reset() default Reset.EACH_TEST;
}
