package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Converts text of a request to the type of a method's parameter. */
public final class Conversions {

  private Conversions() {}

  /**
   * Converts a text.
   *
   * @throws HttpException 400 if the text is not a value of the type
   */
  static Object convert(String name, String text, Class<?> type) {
    try {
      if (type == String.class || type == Object.class || type == CharSequence.class) return text;
      if (type == int.class || type == Integer.class) return Integer.valueOf(text);
      if (type == long.class || type == Long.class) return Long.valueOf(text);
      if (type == double.class || type == Double.class) return Double.valueOf(text);
      if (type == boolean.class || type == Boolean.class) return Boolean.valueOf(text);
      return byFactory(text, type);
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "not a " + type.getSimpleName() + ": name=" + name);
    }
  }

  /**
   * Converts by a static {@code valueOf}, {@code fromString} or {@code parse}: enums, UUIDs, dates.
   */
  private static Object byFactory(String text, Class<?> type) {
    for (String factory : new String[] {"valueOf", "fromString", "parse"}) {
      for (Class<?> argument : new Class<?>[] {String.class, CharSequence.class}) {
        try {
          Method method = type.getMethod(factory, argument);
          if (Modifier.isStatic(method.getModifiers())) return method.invoke(null, text);
        } catch (NoSuchMethodException e) {
          // try the next factory
        } catch (IllegalAccessException | InvocationTargetException e) {
          throw new IllegalArgumentException(e);
        }
      }
    }
    throw new IllegalStateException("no conversion from text: class=" + type.getName());
  }
}
