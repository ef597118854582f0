package dev.kermes.reactor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Registers the methods of an object that a strategy recognises. The object may be a proxy: a
 * method's annotations are looked for where the proxy's superclasses and interfaces declare it.
 */
final class AnnotatedHandlers {

  private final Reactor reactor;
  private final Object object;
  private final Class<?> type;
  private final List<EventStrategy> strategies;
  private final List<Runnable> steps = new ArrayList<>();
  private final List<Registration> registrations = new ArrayList<>();

  /**
   * Prepares a registration.
   *
   * @param type a class or interface whose methods are looked at
   */
  AnnotatedHandlers(Reactor reactor, Object object, Class<?> type, List<EventStrategy> strategies) {
    this.reactor = reactor;
    this.object = object;
    this.type = type;
    this.strategies = strategies;
  }

  /**
   * Registers all recognised methods, or none of them.
   *
   * @throws IllegalArgumentException if there is none, or one cannot be a handler
   */
  List<Registration> register() {
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
        new HandlerMethod(object, callable(method), mapping.arguments(), reactor.conversion());
    HandlerSpec<Object> spec = reactor.at(mapping.pattern());
    spec.named(type.getSimpleName() + "." + method.getName());
    mapping.options().accept(spec);
    Class<?> payload = handler.payloadType();
    steps.add(() -> registrations.add(spec.accepting(payload).handle(handler)));
  }

  /** The method by which the object is called: a proxy may not be an instance of the type. */
  private Method callable(Method method) {
    if (type.isInstance(object)) return method;
    try {
      return object.getClass().getMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("the proxy does not have it: method=" + method, e);
    }
  }
}
