package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpException;
import dev.kermes.reactor.Conversion;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Converts text of a request to the type of a method's parameter. */
public final class Conversions {

  private static final Conversion STANDARD = Conversion.standard();

  private Conversions() {}

  /**
   * Converts a text as {@link Conversion#standard} does.
   *
   * @throws HttpException 400 if the text is not a value of the type
   */
  static @Nullable Object convert(String name, String text, Class<?> type) {
    if (type == String.class) return text;
    try {
      return STANDARD.convert(text, MethodType.methodType(type).wrap().returnType());
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "not a " + type.getSimpleName() + ": name=" + name);
    }
  }
}
