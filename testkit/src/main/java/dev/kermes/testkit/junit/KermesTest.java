package dev.kermes.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class that uses Redis. Its methods, lifecycle methods and constructor may have parameters
 * of the types {@code TestServer}, {@code RedisClient}, {@code ManualClock} and {@code Faults}, and
 * a {@code String} with {@link RedisUrl}.
 *
 * <pre>{@code
 * @KermesTest
 * class VisitsTest {
 *   @Test
 *   void visits_areCounted(RedisClient redis) {
 *     assertThat(redis.blocking().incr("visits")).isEqualTo(1);
 *   }
 * }
 * }</pre>
 *
 * Classes that run one after another share one server, which is reset before each test. Classes
 * that run at the same time have one each. The methods of one class never run at the same time. A
 * test that fails reports its last commands and the keys.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KermesExtension.class)
@ResourceLock(providers = OneMethodAtATime.class)
@SuppressWarnings("exports") // as KermesExtension
public @interface KermesTest {

  /** The times at which the server is reset. */
  enum Reset {
    /** Before each test, but after {@code @BeforeAll}. */
    EACH_TEST,
    /** Before {@code @BeforeAll} only. */
    EACH_CLASS
  }

  /** The times at which the server is reset; before each test by default. */
  Reset reset() default Reset.EACH_TEST;

  /**
   * Options of redis.conf, such as {@code "maxmemory 100mb"}; the class then has a server of its
   * own.
   */
  String[] options() default {};

  /** Lets the server's clock run; the class then has a server of its own. */
  boolean realTime() default false;
}
