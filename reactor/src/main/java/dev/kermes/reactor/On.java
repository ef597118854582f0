package dev.kermes.reactor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that handles the events of a pattern. Its parameters are, in any order and number,
 * the {@link Event}, its {@link EventMeta}, parts of the key ({@link Param}), headers ({@link
 * Header}) and the payload, whose type then restricts the events. Its result answers a call. On a
 * class, the value is a prefix for the patterns of all its methods.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface On {
  /** The pattern; see {@link RoutePattern}. */
  String value();

  /** The order in which the method gets its events. */
  Order order() default Order.KEYED;

  /** The handler's name; by default {@code Class.method}. */
  String name() default "";

  /** The name of the executor that runs the method; by default the reactor's virtual threads. */
  String executor() default "";

  /** How often the method is called again if it fails, as {@link Retry#times} says. */
  int retries() default 0;
}
