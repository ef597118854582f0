package dev.kermes.reactor.internal.mapping;

import dev.kermes.reactor.Event;
import dev.kermes.reactor.EventMeta;
import dev.kermes.reactor.EventStrategy;
import dev.kermes.reactor.HandlerSpec;
import dev.kermes.reactor.Header;
import dev.kermes.reactor.On;
import dev.kermes.reactor.Order;
import dev.kermes.reactor.Param;
import dev.kermes.reactor.Retry;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

/**
 * Handlers of {@code @On("orders/{id}")}. A parameter is the event, its metadata, what
 * {@code @Param} or {@code @Header} says, the part of the key that the pattern captured under the
 * parameter's name, or the payload.
 */
public final class OnEvents implements EventStrategy {

  @Override
  public List<Mapping> handlersOf(Class<?> type, Method method) {
    On on = method.getAnnotation(On.class);
    if (on == null) return List.of();
    On all = (On) Annotations.findAbove(type, On.class.getName());
    String pattern = (all == null ? "" : all.value()) + on.value();
    List<Argument> arguments = new ArrayList<>();
    for (Parameter parameter : Suspension.parametersOf(method)) {
      arguments.add(argument(parameter, pattern));
    }
    return List.of(new Mapping(pattern, arguments, spec -> set(spec, on)));
  }

  private static Argument argument(Parameter parameter, String pattern) {
    if (parameter.getType() == Event.class) return new Argument(From.EVENT, "");
    if (parameter.getType() == EventMeta.class) return new Argument(From.META, "");
    Param param = parameter.getAnnotation(Param.class);
    if (param != null) return new Argument(From.PARAM, param.value());
    Header header = parameter.getAnnotation(Header.class);
    if (header != null) return new Argument(From.HEADER, header.value());
    boolean isCaptured = pattern.contains("{" + parameter.getName() + "}");
    return isCaptured
        ? new Argument(From.PARAM, parameter.getName())
        : new Argument(From.PAYLOAD, "");
  }

  private static void set(HandlerSpec<?> spec, On on) {
    if (on.order() == Order.SERIAL) spec.serial();
    if (on.order() == Order.PARALLEL) spec.parallel();
    if (!on.name().isEmpty()) spec.named(on.name());
    if (!on.executor().isEmpty()) spec.on(on.executor());
    if (on.retries() > 0) spec.retry(Retry.times(on.retries()));
  }
}
