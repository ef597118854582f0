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
 * A test class that uses a master which sentinels watch. Its methods, lifecycle methods and
 * constructor may have parameters of the types {@code KermesSentinel}, {@code RedisClient} and
 * {@code Faults}, and a {@code String} with {@link RedisUrl}.
 *
 * <pre>{@code
 * @KermesSentinelTest(replicas = 1, sentinels = 3)
 * class VisitsTest {
 *   @Test
 *   void visits_surviveAFailover(KermesSentinel sentinel, RedisClient redis) {
 *     redis.blocking().set("visits", "1");
 *     sentinel.failover();
 *     assertThat(redis.blocking().get("visits")).isEqualTo("1");
 *   }
 * }
 * }</pre>
 *
 * Classes with the same numbers that run one after another share the servers and sentinels, which
 * are reset before each test: if roles, nodes or settings have changed, new nodes take the same
 * ports. Classes that run at the same time have their own. The methods of one class never run at
 * the same time. A test that fails reports its last commands and the keys.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KermesSentinelExtension.class)
@ResourceLock(providers = OneMethodAtATime.class)
@SuppressWarnings("exports") // as KermesSentinelExtension
public @interface KermesSentinelTest {

  /** The number of replicas by default. */
  int REPLICAS = 1;

  /** The number of sentinels by default. */
  int SENTINELS = 3;

  /** The number of replicas of the master. */
  int replicas() default REPLICAS;

  /** The number of sentinels. */
  int sentinels() default SENTINELS;

  /** The times at which everything is reset; before each test by default. */
  Reset reset() default Reset.EACH_TEST;
}
