package dev.kermes.http;

import dev.kermes.reactor.RoutePattern;
import dev.kermes.reactor.PatternIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which handler answers: that of the most specific pattern which has one for the method. HEAD is
 * answered as GET where it has none of its own. Any thread.
 */
final class Router {

  /** Stands for every method that a pattern has no handler of its own for. */
  static final String ANY = "*";

  record Route(RoutePattern pattern, HttpHandler handler) {}

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
   * @throws IllegalArgumentException if there is one for the same method and keys: nobody could say
   *     which of them is meant
   */
  synchronized void add(String method, RoutePattern pattern, HttpHandler handler) {
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

  /** Null if there is none; {@link #allowed} tells whether there is one for another method. */
  @Nullable Route find(String method, String path) {
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

  /** The methods that a path has handlers for, sorted; empty if nobody knows it. */
  Set<String> allowed(String path) {
    List<String> found = new ArrayList<>();
    index.find(path, methods -> !found.addAll(methods.byName.keySet()));
    Set<String> allowed = new TreeSet<>(found);
    if (allowed.contains("GET")) allowed.add("HEAD");
    if (!allowed.isEmpty()) allowed.add("OPTIONS");
    return allowed;
  }
}
