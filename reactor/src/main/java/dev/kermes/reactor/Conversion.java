package dev.kermes.reactor;

import dev.kermes.reactor.internal.mapping.StandardConversion;
import org.jspecify.annotations.Nullable;

/**
 * Converts parts of keys and headers to the types of a method's parameters. Spring's {@code
 * ConversionService} fits as {@code service::convert}.
 */
@FunctionalInterface
public interface Conversion {

  /**
   * Converts a text.
   *
   * @param type the type of a parameter, never primitive and never {@code String}
   * @throws IllegalArgumentException if the text is not a value of the type
   * @throws IllegalStateException if there is no conversion to the type, whatever the text
   */
  @Nullable Object convert(String text, Class<?> type);

  /**
   * Numbers, booleans, and every type with a static method {@code valueOf}, {@code fromString} or
   * {@code parse} of a text: enums, UUIDs, dates.
   */
  static Conversion standard() {
    return StandardConversion::convert;
  }
}
