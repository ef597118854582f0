package dev.kermes.http.internal.routing;

import dev.kermes.http.HttpException;
import dev.kermes.http.HttpHandler;
import dev.kermes.http.HttpMessage;
import dev.kermes.http.Response;
import dev.kermes.http.RouteStrategy;
import dev.kermes.http.StandardHttpResponses;
import dev.kermes.http.internal.body.Json;
import dev.kermes.http.internal.negotiation.ContentTypes;
import dev.kermes.reactor.Conversion;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests with a method of an object: converts its arguments and its result. A void method
 * that takes the request must respond itself; any other void method is answered with 204.
 */
public final class MethodHandler implements HttpHandler {

  /** Parameter types that get the body without JSON. */
  private static final Set<Class<?>> BODY_TYPES =
      Set.of(String.class, byte[].class, InputStream.class);

  /** Result types that are answered without JSON. */
  private static final Set<Class<?>> RESULT_TYPES =
      Set.of(Response.class, String.class, byte[].class, Path.class, CompletionStage.class);

  private final Object object;
  private final Method method;
  private final RouteStrategy.Route route;
  private final Conversion conversion;

  /**
   * A handler.
   *
   * @param conversion of the parts of a request to parameters
   */
  public MethodHandler(
      Object object, Method method, RouteStrategy.Route route, Conversion conversion) {
    this.object = object;
    this.method = method;
    this.route = route;
    this.conversion = conversion;
    method.setAccessible(true);
    if (takesJson() || returnsJson(method.getReturnType())) Json.require();
  }

  /** Whether a parameter can only be read as JSON. */
  private boolean takesJson() {
    for (int i = 0; i < route.arguments().size(); i++) {
      Class<?> type = method.getParameterTypes()[i];
      boolean isBody = route.arguments().get(i).from() == RouteStrategy.From.BODY;
      if (isBody && !BODY_TYPES.contains(type)) return true;
    }
    return false;
  }

  /** Whether a result of this type is always JSON; an Object may turn out to be text. */
  private static boolean returnsJson(Class<?> type) {
    return type != void.class
        && RESULT_TYPES.stream()
            .noneMatch(known -> known.isAssignableFrom(type) || type.isAssignableFrom(known));
  }

  @Override
  public void handle(HttpMessage request) throws Exception {
    List<RouteStrategy.Argument> wanted = route.arguments();
    @Nullable Object[] arguments = new Object[wanted.size()];
    boolean hasRequest = false;
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = argument(request, wanted.get(i), method.getParameterTypes()[i]);
      hasRequest |= arguments[i] == request;
    }
    Object result = invoke(arguments);
    if (result != null) answer(request, result);
    else if (method.getReturnType() != void.class)
      request.respond(StandardHttpResponses.notFound());
    else if (!hasRequest) request.respond(StandardHttpResponses.noContent());
  }

  private @Nullable Object argument(
      HttpMessage request, RouteStrategy.Argument wanted, Class<?> type) {
    String name = wanted.name();
    return switch (wanted.from()) {
      case REQUEST -> request;
      case BODY -> body(request, type);
      case PATH -> Conversions.convert(conversion, name, request.pathParam(name), type);
      case QUERY -> given(wanted, request.query(name), type);
      case HEADER -> given(wanted, request.header(name), type);
      case COOKIE -> given(wanted, request.cookie(name), type);
    };
  }

  private @Nullable Object given(
      RouteStrategy.Argument wanted, @Nullable String text, Class<?> type) {
    String value = text == null ? wanted.standard() : text;
    if (value != null) return Conversions.convert(conversion, wanted.name(), value, type);
    if (type.isPrimitive()) throw new HttpException(400, "missing: name=" + wanted.name());
    return null;
  }

  private static Object body(HttpMessage request, Class<?> type) {
    if (type == String.class) return request.text();
    if (type == byte[].class) return request.bytes();
    if (type == InputStream.class) return request.stream();
    return request.json(type);
  }

  private @Nullable Object invoke(@Nullable Object[] arguments) throws Exception {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      if (e.getCause() instanceof Error error) throw error;
      throw e;
    }
  }

  private void answer(HttpMessage request, Object result) throws Exception {
    if (result instanceof CompletionStage<?> later) {
      answer(request, later.toCompletableFuture().get()); // blocks a virtual thread only
    } else {
      request.respond(response(result));
    }
  }

  private Response response(Object result) {
    if (result instanceof Response response) return response;
    Response ok = Response.of(200);
    if (result instanceof String text)
      return ok.with("content-type", type("text/plain; charset=utf-8")).body(text);
    if (result instanceof byte[] bytes)
      return ok.with("content-type", type("application/octet-stream")).body(bytes);
    if (result instanceof Path file)
      return ok.with("content-type", type(ContentTypes.of(file.toString()))).body(file);
    return ok.with("content-type", type("application/json")).body(Json.write(result));
  }

  private String type(String standard) {
    return route.contentType().isEmpty() ? standard : route.contentType();
  }
}
