package dev.kermes.reactor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that handles what comes for a pattern: it takes an {@link Event}, or the payload, whose
 * type then chooses. What it returns answers a call. On a class: the beginning of the patterns of
 * all its methods.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface On {
  /** The pattern; see {@link RoutePattern}. */
  String value();

  /** The order of its events. */
  Order order() default Order.KEYED;
}
