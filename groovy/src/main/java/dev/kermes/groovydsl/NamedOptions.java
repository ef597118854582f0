package dev.kermes.groovydsl;

import dev.kermes.client.reply.GeoPoint;
import groovy.lang.Closure;
import groovy.lang.MissingMethodException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.codehaus.groovy.runtime.DefaultGroovyMethods;
import org.jspecify.annotations.Nullable;

/**
 * Fills the options of a command from named arguments: each name is a method of the options.
 *
 * <pre>
 *   nx: true                      an option without argument; null and false omit it
 *   ex: 60                        an option with one argument
 *   limit: [0, 10]                an option with several arguments
 *   get: ['#', 'name_*']          an option that is repeated
 * </pre>
 */
final class NamedOptions {
  private static final ClassValue<Map<String, List<Method>>> METHODS =
      new ClassValue<>() {
        @Override
        protected Map<String, List<Method>> computeValue(Class<?> type) {
          Map<String, List<Method>> methods = new TreeMap<>();
          for (Method method : type.getMethods()) {
            if (method.getReturnType() != type) continue;
            methods.computeIfAbsent(method.getName(), name -> new ArrayList<>()).add(method);
          }
          return methods;
        }
      };

  private NamedOptions() {}

  /**
   * Sets the named options; returns the same object if it is mutable, or the last copy.
   *
   * @throws MissingMethodException for an unknown option, or arguments that do not fit it
   */
  static <T> T fill(T options, Map<String, ?> named) {
    T filled = options;
    for (Map.Entry<String, ?> each : named.entrySet()) {
      if (has(named, each.getKey())) filled = give(filled, each.getKey(), each.getValue());
    }
    return filled;
  }

  /** Whether an option is given with a value other than null and false. */
  static boolean has(Map<String, ?> named, String name) {
    Object value = named.get(name);
    return value != null && !Boolean.FALSE.equals(value);
  }

  /** Whether all of these options are given. */
  static boolean has(Map<String, ?> named, String... names) {
    for (String name : names) {
      if (!has(named, name)) return false;
    }
    return true;
  }

  static Map<String, ?> without(Map<String, ?> named, String... names) {
    Map<String, Object> others = new LinkedHashMap<>(named);
    for (String name : names) others.remove(name);
    return others;
  }

  /**
   * Refuses options, for commands that have no further ones.
   *
   * @throws MissingMethodException if an option is given
   */
  static void refuse(Map<String, ?> named) {
    var unused = fill(new Object(), named);
  }

  private static <T> T give(T options, String name, Object value) {
    List<?> arguments = Boolean.TRUE.equals(value) ? List.of() : asList(value);
    T given = apply(options, name, arguments);
    if (given == null) given = applyEach(options, name, arguments);
    if (given != null) return given;
    throw new MissingMethodException(name, options.getClass(), arguments.toArray());
  }

  private static <T> @Nullable T applyEach(T options, String name, List<?> arguments) {
    T given = arguments.isEmpty() ? null : options;
    for (Object each : arguments) if (given != null) given = apply(given, name, asList(each));
    return given;
  }

  private static List<?> asList(Object value) {
    return value instanceof Collection<?> all ? List.copyOf(all) : List.of(value);
  }

  /** The options with one more, or null if none of that name takes the arguments. */
  private static <T> @Nullable T apply(T options, String name, List<?> arguments) {
    for (Method method : METHODS.get(options.getClass()).getOrDefault(name, List.of())) {
      Object[] converted = convert(method.getParameterTypes(), arguments);
      if (converted != null) return invoke(method, options, converted);
    }
    return null;
  }

  @SuppressWarnings("unchecked") // METHODS has those that return the type of the options
  private static <T> T invoke(Method method, T options, Object[] arguments) {
    try {
      return (T) method.invoke(options, arguments);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("option not set: " + method, e);
    }
  }

  /** Converts the arguments to these types; null if they do not fit. */
  private static Object @Nullable [] convert(Class<?>[] types, List<?> arguments) {
    if (types.length == 1 && types[0] == double[].class) {
      return new Object[] {arguments.stream().mapToDouble(Arguments::decimal).toArray()};
    }
    if (types.length == 1 && types[0] == long[].class) {
      return new Object[] {arguments.stream().mapToLong(Arguments::number).toArray()};
    }
    if (types.length == 1 && types[0] == List.class) {
      return new Object[] {arguments.stream().map(NamedOptions::point).toList()};
    }
    if (types.length != arguments.size()) return null;
    Object[] converted = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      Object one = convert(types[i], arguments.get(i));
      if (one == null) return null;
      converted[i] = one;
    }
    return converted;
  }

  private static Object point(Object point) {
    if (!(point instanceof List<?> pair)) return point;
    return new GeoPoint(Arguments.decimal(pair.get(0)), Arguments.decimal(pair.get(1)));
  }

  private static @Nullable Object convert(Class<?> type, Object argument) {
    if (type == String.class) return argument instanceof Collection ? null : argument.toString();
    if (type == int.class) return argument instanceof Integer number ? number : null;
    if (type == long.class) return argument instanceof Number number ? number.longValue() : null;
    if (type == double.class)
      return argument instanceof Number number ? number.doubleValue() : null;
    if (type.isEnum()) return constant(type, argument);
    if (argument instanceof Closure<?> closure && type.isInterface()) {
      return DefaultGroovyMethods.asType(closure, type);
    }
    return type.isInstance(argument) ? argument : null;
  }

  private static @Nullable Object constant(Class<?> type, Object argument) {
    return Stream.of(type.getEnumConstants())
        .filter(
            each -> each.equals(argument) || each.toString().equalsIgnoreCase(argument.toString()))
        .findFirst()
        .orElse(null);
  }
}
