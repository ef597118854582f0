package dev.kermes.reactor.internal.mapping;

import dev.kermes.reactor.Event;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.EventStrategy;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handlers of JAX-RS annotations: a method with {@code @Path} but without an HTTP method such as
 * {@code @GET}, which would make it a route. {@code @PathParam} and {@code @HeaderParam} name the
 * source of an argument. The slash at the beginning of a path does not belong to the key.
 */
public final class PathEvents implements EventStrategy {

  private static final String RS = "jakarta.ws.rs.";

  @Override
  public List<Mapping> handlersOf(Class<?> type, Method method) {
    Annotation path = Annotations.find(method, RS + "Path");
    if (path == null || isRoute(method)) return List.of();
    String prefix = Annotations.text(Annotations.findAbove(type, RS + "Path"), "value");
    List<Argument> arguments = new ArrayList<>();
    for (Parameter each : Suspension.parametersOf(method)) arguments.add(argument(each));
    String pattern = Annotations.path(prefix, Annotations.text(path, "value"));
    return List.of(new Mapping(pattern, arguments, spec -> {}));
  }

  private static boolean isRoute(Method method) {
    for (Annotation mark : method.getAnnotations()) {
      if (Annotations.find(mark.annotationType(), RS + "HttpMethod") != null) return true;
    }
    return false;
  }

  private static Argument argument(Parameter parameter) {
    Annotation param = Annotations.find(parameter, RS + "PathParam");
    Annotation header = Annotations.find(parameter, RS + "HeaderParam");
    return argument(parameter, param, header);
  }

  /** The source of an argument by the annotations that name a part of the key or a header. */
  static Argument argument(
      Parameter parameter, @Nullable Annotation param, @Nullable Annotation header) {
    if (parameter.getType() == Event.class) return new Argument(From.EVENT, "");
    if (parameter.getType() == EventMeta.class) return new Argument(From.META, "");
    if (param != null) return new Argument(From.PARAM, name(parameter, param));
    if (header != null) return new Argument(From.HEADER, name(parameter, header));
    return new Argument(From.PAYLOAD, "");
  }

  private static String name(Parameter parameter, Annotation mark) {
    String given = Annotations.text(mark, "value");
    return given.isEmpty() ? parameter.getName() : given;
  }
}
