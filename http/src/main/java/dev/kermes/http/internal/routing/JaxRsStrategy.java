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
 * Routes of JAX-RS annotations: {@code @Path}, annotations marked with {@code @HttpMethod}, the
 * parameter annotations such as {@code @PathParam}, {@code @DefaultValue} and {@code @Produces}.
 * The only regular expressions supported in paths are {@code .*} and {@code .+} at the end.
 */
public final class JaxRsStrategy implements RouteStrategy {

  private static final String RS = "jakarta.ws.rs.";

  @Override
  public List<Route> routesOf(Class<?> type, Method method) {
    String httpMethod = httpMethod(method);
    if (httpMethod == null) return List.of();
    String first = AnnotationNames.text(AnnotationNames.find(type, RS + "Path"), "value");
    String second = AnnotationNames.text(AnnotationNames.find(method, RS + "Path"), "value");
    Annotation produces = AnnotationNames.find(method, RS + "Produces");
    if (produces == null) produces = AnnotationNames.find(type, RS + "Produces");
    List<Argument> arguments = new ArrayList<>();
    for (Parameter parameter : method.getParameters()) arguments.add(argument(parameter));
    String pattern = pattern(AnnotationNames.path(first, second));
    return List.of(
        new Route(httpMethod, pattern, AnnotationNames.text(produces, "value"), arguments));
  }

  /** The HTTP method: {@code @GET} and the like are themselves marked with {@code @HttpMethod}. */
  private static @Nullable String httpMethod(Method method) {
    for (Annotation mark : method.getAnnotations()) {
      Annotation meta = AnnotationNames.find(mark.annotationType(), RS + "HttpMethod");
      if (meta != null) return AnnotationNames.text(meta, "value");
    }
    return null;
  }

  /** Translates {@code {name: .*}} to {@code {name}**}. */
  private static String pattern(String path) {
    int colon = path.indexOf(':');
    if (colon < 0) return path;
    int open = path.lastIndexOf('{', colon);
    String expression = path.substring(colon + 1, path.length() - 1).strip();
    boolean isRest = expression.equals(".*") || expression.equals(".+");
    if (open < 0 || !path.endsWith("}") || !isRest) {
      throw new IllegalArgumentException("path not supported: path=" + path);
    }
    return path.substring(0, open) + "{" + path.substring(open + 1, colon).strip() + "}**";
  }

  private static Argument argument(Parameter parameter) {
    Annotation given = AnnotationNames.find(parameter, RS + "DefaultValue");
    String standard = given == null ? null : AnnotationNames.text(given, "value");
    for (var kind : List.of(From.PATH, From.QUERY, From.HEADER, From.COOKIE)) {
      String word = kind.name().charAt(0) + kind.name().substring(1).toLowerCase(Locale.ROOT);
      Annotation mark = AnnotationNames.find(parameter, RS + word + "Param");
      if (mark != null) return new Argument(kind, AnnotationNames.text(mark, "value"), standard);
    }
    boolean isRequest = parameter.getType() == HttpMessage.class;
    return new Argument(isRequest ? From.REQUEST : From.BODY, "", null);
  }
}
