package dev.kermes.reactor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of an {@link On} method that gets a part of the key. Without it, a parameter
 * that is named like a part of the pattern gets that part, if the class was compiled with {@code
 * -parameters}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Param {
  /** The name under which the pattern captures the part. */
  String value();
}
