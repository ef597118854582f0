package dev.kermes.testkit.spock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.spockframework.runtime.extension.ExtensionAnnotation;

/**
 * A specification that uses Redis. Its feature and fixture methods may have parameters of the types
 * {@code TestServer}, {@code RedisClient}, {@code ManualClock} and {@code Faults}.
 *
 * <pre>{@code
 * @KermesSpec
 * class VisitsSpec extends Specification {
 *   def 'visits are counted'(RedisClient redis) {
 *     expect:
 *     redis.blocking().incr('visits') == 1
 *   }
 * }
 * }</pre>
 *
 * Specifications that run one after another share one server, which is reset before each iteration.
 * Specifications that run at the same time have one each. The features of one specification never
 * run at the same time. A feature that fails reports its last commands and the keys.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtensionAnnotation(KermesSpecExtension.class)
public @interface KermesSpec {

  /** The times at which the server is reset. */
  enum Reset {
    /** Before {@code setup} of each iteration, but after {@code setupSpec}. */
    EACH_ITERATION,
    /** Before {@code setupSpec} only. */
    EACH_SPEC
  }

  /** The times at which the server is reset; before each iteration by default. */
  Reset reset() default Reset.EACH_ITERATION;

  /**
   * Options of redis.conf, such as {@code "maxmemory 100mb"}; the specification then has a server
   * of its own.
   */
  String[] options() default {};

  /** Lets the server's clock run; the specification then has a server of its own. */
  boolean realTime() default false;
}
