package dev.kermes.http;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an object's methods tell which requests they answer, and what their parameters are. Ours, and
 * those of JAX-RS and Spring MVC, are tried one after the other; further ones may be given to
 * {@link HttpServer#register(Object, List)}.
 */
public interface RouteStrategy {

  /** Where the argument for a parameter comes from. */
  enum From {
    REQUEST,
    PATH,
    QUERY,
    HEADER,
    COOKIE,
    BODY
  }

  /**
   * A parameter.
   *
   * @param name of the path parameter, query parameter, field or cookie; empty for the others
   * @param standard in place of one that is missing; null if that is an error for primitives, and
   *     null for objects
   */
  record Argument(From from, String name, @Nullable String standard) {}

  /**
   * A route.
   *
   * @param method of HTTP, {@code *} for all
   * @param contentType of what is returned; empty if its class tells
   */
  record Route(String method, String pattern, String contentType, List<Argument> arguments) {}

  /** The routes of one method of a class; empty if it has none that this strategy knows. */
  List<Route> routesOf(Class<?> type, Method method);

  /** The ready ones, in the order in which they are tried. */
  static List<RouteStrategy> standard() {
    return List.of(new OnStrategy(), new JaxRsStrategy(), new SpringStrategy());
  }
}
