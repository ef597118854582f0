package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpException;
import dev.kermes.reactor.Conversion;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Converts text of a request to the type of a method's parameter. */
final class Conversions {

  private Conversions() {}

  /**
   * Converts the text of a parameter.
   *
   * @throws HttpException 400 if the text is not a value of the type
   */
  static @Nullable Object convert(Conversion conversion, String name, String text, Class<?> type) {
    if (type == String.class) return text;
    try {
      return conversion.convert(text, MethodType.methodType(type).wrap().returnType());
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "not a " + type.getSimpleName() + ": name=" + name);
    }
  }
}
