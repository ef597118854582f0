package dev.kermes.reactor.internal.mapping;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.function.Function;

/** The standard conversions. */
public final class StandardConversion {

  private static final Map<Class<?>, Function<String, Object>> KNOWN =
      Map.of(
          Object.class, text -> text,
          CharSequence.class, text -> text,
          Integer.class, Integer::valueOf,
          Long.class, Long::valueOf,
          Double.class, Double::valueOf,
          Boolean.class, Boolean::valueOf);

  private StandardConversion() {}

  /** Converts a text, as {@code Conversion.convert} says. */
  public static Object convert(String text, Class<?> type) {
    Function<String, Object> known = KNOWN.get(type);
    return known != null ? known.apply(text) : byFactory(text, type);
  }

  private static Object byFactory(String text, Class<?> type) {
    for (String factory : new String[] {"valueOf", "fromString", "parse"}) {
      for (Class<?> argument : new Class<?>[] {String.class, CharSequence.class}) {
        try {
          Method method = type.getMethod(factory, argument);
          if (Modifier.isStatic(method.getModifiers())) return method.invoke(null, text);
        } catch (NoSuchMethodException e) {
          // try the next factory
        } catch (IllegalAccessException | InvocationTargetException e) {
          throw new IllegalArgumentException("not a " + type.getSimpleName() + ": text=" + text, e);
        }
      }
    }
    throw new IllegalStateException("no conversion from text: class=" + type.getName());
  }
}
