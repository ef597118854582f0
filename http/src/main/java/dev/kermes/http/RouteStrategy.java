package dev.kermes.http;

import dev.kermes.http.internal.routing.JaxRsStrategy;
import dev.kermes.http.internal.routing.OnStrategy;
import dev.kermes.http.internal.routing.SpringStrategy;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives routes from the methods of an object: which requests a method answers, and the sources of
 * its arguments. The standard strategies for Kermes's own annotations, JAX-RS and Spring MVC are
 * tried in this order; others may be passed to {@link HttpServer#register(Object, List)}.
 */
public interface RouteStrategy {

  /** The source of an argument. */
  enum From {
    REQUEST,
    PATH,
    QUERY,
    HEADER,
    COOKIE,
    BODY
  }

  /**
   * The source of one argument.
   *
   * @param name name of the path parameter, query parameter, field or cookie; otherwise empty
   * @param standard default value; without one, a missing argument is an error if it is primitive,
   *     and null otherwise
   */
  record Argument(From from, String name, @Nullable String standard) {}

  /**
   * A route.
   *
   * @param method the HTTP method, {@code *} for all
   * @param contentType the content type of the result; empty to derive it from the result's class
   */
  record Route(String method, String pattern, String contentType, List<Argument> arguments) {}

  /** The routes of one method of a class; empty if this strategy does not recognise it. */
  List<Route> routesOf(Class<?> type, Method method);

  /** The standard strategies, in the order in which they are tried. */
  static List<RouteStrategy> standard() {
    return List.of(new OnStrategy(), new JaxRsStrategy(), new SpringStrategy());
  }
}
