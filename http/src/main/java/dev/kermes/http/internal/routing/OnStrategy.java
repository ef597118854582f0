package dev.kermes.http.internal.routing;

import dev.kermes.http.Delete;
import dev.kermes.http.Get;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.Patch;
import dev.kermes.http.Post;
import dev.kermes.http.Put;
import dev.kermes.http.RouteStrategy;
import dev.kermes.reactor.On;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

/**
 * Routes of {@code @On("/orders/{id}") @Get}. A parameter is the request, the body, or the part of
 * the path that the pattern captured under the parameter's name.
 */
public final class OnStrategy implements RouteStrategy {

  @Override
  public List<Route> routesOf(Class<?> type, Method method) {
    On on = method.getAnnotation(On.class);
    if (on == null) return List.of();
    On all = type.getAnnotation(On.class);
    String pattern = (all == null ? "" : all.value()) + on.value();
    List<Argument> arguments = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) arguments.add(argument(parameter, pattern));
    List<String> methods = methods(method);
    return methods.stream().map(name -> new Route(name, pattern, "", arguments)).toList();
  }

  private static Argument argument(Parameter parameter, String pattern) {
    if (parameter.getType() == HttpMessage.class) return new Argument(From.REQUEST, "", null);
    boolean isCaptured = pattern.contains("{" + parameter.getName() + "}");
    return isCaptured
        ? new Argument(From.PATH, parameter.getName(), null)
        : new Argument(From.BODY, "", null);
  }

  private static List<String> methods(Method method) {
    List<String> names = new ArrayList<>();
    if (method.isAnnotationPresent(Get.class)) names.add("GET");
    if (method.isAnnotationPresent(Post.class)) names.add("POST");
    if (method.isAnnotationPresent(Put.class)) names.add("PUT");
    if (method.isAnnotationPresent(Patch.class)) names.add("PATCH");
    if (method.isAnnotationPresent(Delete.class)) names.add("DELETE");
    return names.isEmpty() ? List.of(Router.ANY) : names;
  }
}
