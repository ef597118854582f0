package dev.kermes.reactor.internal.mapping;

import dev.kermes.reactor.EventStrategy;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

/**
 * Handlers of Spring Messaging's annotations: {@code @MessageMapping}, with
 * {@code @DestinationVariable} and {@code @Header} for arguments; other parameters are the payload,
 * with or without {@code @Payload}.
 */
public final class MessageEvents implements EventStrategy {

  private static final String MAPPING =
      "org.springframework.messaging.handler.annotation.MessageMapping";

  private static final String VARIABLE =
      "org.springframework.messaging.handler.annotation.DestinationVariable";

  private static final String HEADER = "org.springframework.messaging.handler.annotation.Header";

  @Override
  public List<Mapping> handlersOf(Class<?> type, Method method) {
    Annotation mapping = Annotations.find(method, MAPPING);
    if (mapping == null) return List.of();
    String prefix = Annotations.text(Annotations.findAbove(type, MAPPING), "value");
    List<Argument> arguments = new ArrayList<>();
    for (Parameter each : Suspension.parametersOf(method)) arguments.add(argument(each));
    String pattern = Annotations.path(prefix, Annotations.text(mapping, "value"));
    return List.of(new Mapping(pattern, arguments, spec -> {}));
  }

  private static Argument argument(Parameter parameter) {
    Annotation variable = Annotations.find(parameter, VARIABLE);
    Annotation header = Annotations.find(parameter, HEADER);
    return PathEvents.argument(parameter, variable, header);
  }
}
