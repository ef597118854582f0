package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpMessage;
import dev.kermes.http.RouteStrategy;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Routes of Spring MVC annotations: {@code @RequestMapping} and its short forms,
 * {@code @PathVariable}, {@code @RequestParam}, {@code @RequestHeader}, {@code @CookieValue} and
 * {@code @RequestBody}. Patterns may contain {@code {name}}, and end with {@code **} or {@code
 * {*name}}.
 */
public final class SpringStrategy implements RouteStrategy {

  private static final String BIND = "org.springframework.web.bind.annotation.";

  /** Spring's marker for an annotation without a default value. */
  private static final String NO_DEFAULT = "\n\t\t\n\t\t\n\ue000\ue001\ue002\n\t\t\t\t\n";

  @Override
  public List<Route> routesOf(Class<?> type, Method method) {
    Annotation mapping = AnnotationNames.find(method, BIND + "RequestMapping");
    String httpMethod = AnnotationNames.text(mapping, "method");
    for (String word : List.of("Get", "Post", "Put", "Patch", "Delete")) {
      Annotation mark = AnnotationNames.find(method, BIND + word + "Mapping");
      if (mark == null) continue;
      mapping = mark;
      httpMethod = word.toUpperCase(Locale.ROOT);
    }
    if (mapping == null) return List.of();
    String first = pathOf(AnnotationNames.find(type, BIND + "RequestMapping"));
    String pattern =
        AnnotationNames.path(first, pathOf(mapping)).replaceAll("\\{\\*(\\w+)}$", "{$1}**");
    List<Argument> arguments = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) arguments.add(argument(parameter));
    String contentType = AnnotationNames.text(mapping, "produces");
    String name = httpMethod.isEmpty() ? Router.ANY : httpMethod;
    return List.of(new Route(name, pattern, contentType, arguments));
  }

  private static String pathOf(@Nullable Annotation mapping) {
    String path = AnnotationNames.text(mapping, "path");
    return path.isEmpty() ? AnnotationNames.text(mapping, "value") : path;
  }

  private static Argument argument(Parameter parameter) {
    Argument argument = bound(parameter, "PathVariable", From.PATH);
    if (argument == null) argument = bound(parameter, "RequestParam", From.QUERY);
    if (argument == null) argument = bound(parameter, "RequestHeader", From.HEADER);
    if (argument == null) argument = bound(parameter, "CookieValue", From.COOKIE);
    if (argument != null) return argument;
    boolean isRequest = parameter.getType() == HttpMessage.class;
    return new Argument(isRequest ? From.REQUEST : From.BODY, "", null);
  }

  private static @Nullable Argument bound(Parameter parameter, String mark, From from) {
    Annotation found = AnnotationNames.find(parameter, BIND + mark);
    if (found == null) return null;
    String name = AnnotationNames.text(found, "name");
    if (name.isEmpty()) name = AnnotationNames.text(found, "value");
    if (name.isEmpty()) name = parameter.getName();
    Object standard = AnnotationNames.value(found, "defaultValue");
    boolean hasStandard = standard != null && !standard.equals(NO_DEFAULT);
    return new Argument(from, name, hasStandard ? String.valueOf(standard) : null);
  }
}
