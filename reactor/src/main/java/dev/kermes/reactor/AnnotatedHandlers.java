package dev.kermes.reactor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Registers the methods of an object that carry {@link On}. */
final class AnnotatedHandlers {

  private AnnotatedHandlers() {}

  /**
   * Registers all annotated methods, or none of them.
   *
   * @throws IllegalArgumentException if a method cannot be a handler; nothing is registered then
   */
  static List<Registration> register(Reactor reactor, Object object) {
    On all = object.getClass().getAnnotation(On.class);
    String prefix = all == null ? "" : all.value();
    List<Runnable> steps = new ArrayList<>();
    List<Registration> registrations = new ArrayList<>();
    for (Method method : object.getClass().getMethods()) {
      On on = method.getAnnotation(On.class);
      if (on == null) continue;
      HandlerSpec<?> spec = spec(reactor, prefix + on.value(), on.order(), method);
      method.setAccessible(true);
      steps.add(() -> registrations.add(handle(spec, object, method)));
    }
    if (steps.isEmpty()) {
      throw new IllegalArgumentException(
          "no method with @On: class=" + object.getClass().getName());
    }
    steps.forEach(Runnable::run);
    return registrations;
  }

  private static HandlerSpec<?> spec(Reactor reactor, String pattern, Order order, Method method) {
    if (method.getParameterCount() != 1) {
      throw new IllegalArgumentException("one parameter expected: method=" + method);
    }
    HandlerSpec<Object> spec = reactor.at(pattern);
    if (order == Order.SERIAL) spec.serial();
    if (order == Order.PARALLEL) spec.parallel();
    Class<?> type = method.getParameterTypes()[0];
    return type == Event.class ? spec : spec.of(boxed(type));
  }

  private static Class<?> boxed(Class<?> type) {
    return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
  }

  private static <T> Registration handle(HandlerSpec<T> spec, Object object, Method method) {
    boolean takesEvent = method.getParameterTypes()[0] == Event.class;
    return spec.handle(event -> {
      Object answer = invoke(object, method, takesEvent ? event : event.payload());
      if (answer != null) event.reply(answer);
    });
  }

  private static @Nullable Object invoke(Object object, Method method, Object argument)
      throws Exception {
    try {
      return method.invoke(object, argument);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) throw cause;
      if (e.getCause() instanceof Error error) throw error;
      throw e;
    }
  }
}
