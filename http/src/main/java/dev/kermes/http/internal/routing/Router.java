package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpHandler;
import dev.kermes.reactor.PatternIndex;
import dev.kermes.reactor.RoutePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler of a request: that of the most specific matching pattern with a handler for the
 * method. A pattern without a handler for HEAD answers it with that for GET. Any thread.
 */
public final class Router {

  /** Stands for every method for which a pattern has no handler of its own. */
  public static final String ANY = "*";

  public record Route(RoutePattern pattern, HttpHandler handler) {}

  /** The handlers of one pattern, by method. */
  private record Methods(Map<String, Route> byName) {
    @Nullable Route of(String method) {
      Route route = byName.get(method);
      if (route == null && method.equals("HEAD")) route = byName.get("GET");
      return route != null ? route : byName.get(ANY);
    }
  }

  private final PatternIndex<Methods> index = new PatternIndex<>();
  private final Map<RoutePattern, Methods> byPattern = new HashMap<>();

  /**
   * Adds a route.
   *
   * @throws IllegalArgumentException if there is a route for the same method and the same paths,
   *     because the choice would be ambiguous
   */
  public synchronized void add(String method, RoutePattern pattern, HttpHandler handler) {
    Methods methods = byPattern.get(pattern);
    if (methods == null) {
      methods = new Methods(new ConcurrentHashMap<>());
      byPattern.put(pattern, methods);
      index.add(pattern, methods);
    }
    Route before = methods.byName.putIfAbsent(method, new Route(pattern, handler));
    if (before != null) {
      throw new IllegalArgumentException(
          "route taken: method=" + method + ", pattern=" + pattern + ", by=" + before.pattern);
    }
  }

  /** The route of a request, or null; {@link #allowed} returns the methods that have one. */
  public @Nullable Route find(String method, String path) {
    Search search = new Search(method);
    index.find(path, search::visit);
    return search.found;
  }

  private static final class Search {
    private final String method;
    private @Nullable Route found;

    Search(String method) {
      this.method = method;
    }

    boolean visit(Methods methods) {
      found = methods.of(method);
      return found != null;
    }
  }

  /** The methods for which a path has handlers, sorted; empty if no pattern matches. */
  public Set<String> allowed(String path) {
    List<String> found = new ArrayList<>();
    index.find(path, methods -> !found.addAll(methods.byName.keySet()));
    Set<String> allowed = new TreeSet<>(found);
    if (allowed.contains("GET")) allowed.add("HEAD");
    if (!allowed.isEmpty()) allowed.add("OPTIONS");
    return allowed;
  }
}
