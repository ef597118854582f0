package dev.kermes.reactor.internal.mapping;

import dev.kermes.reactor.Conversion;
import dev.kermes.reactor.EventStrategy;
import dev.kermes.reactor.Functions;
import dev.kermes.reactor.HandlerSpec;
import dev.kermes.reactor.Reactor;
import dev.kermes.reactor.Registration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Registers the methods of an object that a strategy recognises. The object may be a proxy: a
 * method's annotations are looked for where the proxy's superclasses and interfaces declare it.
 */
public final class AnnotatedHandlers {

  private final Reactor reactor;
  private final Object object;
  private final Class<?> type;
  private final List<EventStrategy> strategies;
  private final Conversion conversion;
  private final List<Runnable> steps = new ArrayList<>();
  private final List<Registration> registrations = new ArrayList<>();

  /**
   * Prepares a registration.
   *
   * @param type a class or interface whose methods are looked at
   */
  public AnnotatedHandlers(
      Reactor reactor,
      Object object,
      Class<?> type,
      List<EventStrategy> strategies,
      Conversion conversion) {
    this.reactor = reactor;
    this.object = object;
    this.type = type;
    this.strategies = strategies;
    this.conversion = conversion;
  }

  /**
   * Registers all recognised methods, or none of them.
   *
   * @throws IllegalArgumentException if there is none, or one cannot be a handler
   */
  public List<Registration> register() {
    for (Method method : type.getMethods()) if (!method.isBridge()) prepare(method);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("no method is a handler: class=" + type.getName());
    }
    steps.forEach(Runnable::run);
    return registrations;
  }

  private void prepare(Method method) {
    for (EventStrategy strategy : strategies) {
      for (Method declared : declarations(method)) {
        List<EventStrategy.Mapping> mappings = strategy.handlersOf(type, declared);
        for (EventStrategy.Mapping mapping : mappings) prepare(method, mapping);
        if (!mappings.isEmpty()) return;
      }
    }
  }

  /** The method itself, and those that it overrides or implements. */
  private List<Method> declarations(Method method) {
    List<Method> all = new ArrayList<>();
    for (Class<?> each : Annotations.hierarchy(type)) {
      try {
        all.add(each.getDeclaredMethod(method.getName(), method.getParameterTypes()));
      } catch (NoSuchMethodException e) {
        // not declared here
      }
    }
    return all;
  }

  private void prepare(Method method, EventStrategy.Mapping mapping) {
    HandlerMethod handler =
        new HandlerMethod(
            object, Functions.callable(object, method), mapping.arguments(), conversion);
    HandlerSpec<Object> spec = reactor.at(mapping.pattern());
    spec.named(type.getSimpleName() + "." + method.getName());
    mapping.options().accept(spec);
    steps.add(() -> registrations.add(handle(spec, handler.payloadType(), handler)));
  }

  private static <T> Registration handle(
      HandlerSpec<Object> spec, Class<T> payload, HandlerMethod handler) {
    return spec.of(payload).handle(handler::handleAny);
  }
}
