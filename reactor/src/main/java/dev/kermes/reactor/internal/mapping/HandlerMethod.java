package dev.kermes.reactor.internal.mapping;

import dev.kermes.reactor.Conversion;
import dev.kermes.reactor.Event;
import dev.kermes.reactor.EventStrategy;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Handles events with a method of an object. Its result answers a call; if that is a {@link
 * CompletionStage} or a {@link Future}, the handler ends when it does.
 */
public final class HandlerMethod {

  private final Object object;
  private final Method method;
  private final EventStrategy.Argument[] arguments;
  private final Class<?>[] types;
  private final Conversion conversion;
  private final @Nullable Suspension suspension;

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if there is not one for each parameter, or two are the payload
   */
  HandlerMethod(
      Object object, Method method, List<EventStrategy.Argument> arguments, Conversion conversion) {
    this.object = object;
    this.method = method;
    this.arguments = arguments.toArray(EventStrategy.Argument[]::new);
    this.conversion = conversion;
    suspension = Suspension.isSuspending(method) ? Suspension.of(method.getDeclaringClass()) : null;
    types = MethodType.methodType(void.class, method.getParameterTypes()).wrap().parameterArray();
    int expected = Suspension.parametersOf(method).size();
    if (arguments.size() != expected) {
      throw new IllegalArgumentException("one argument per parameter expected: method=" + method);
    }
    if (arguments.stream().filter(HandlerMethod::isPayload).count() > 1) {
      throw new IllegalArgumentException("one payload expected: method=" + method);
    }
    method.setAccessible(true);
  }

  private static boolean isPayload(EventStrategy.Argument argument) {
    return argument.from() == EventStrategy.From.PAYLOAD;
  }

  /** The type that payloads must have. */
  Class<?> payloadType() {
    for (int i = 0; i < arguments.length; i++) if (isPayload(arguments[i])) return types[i];
    return Object.class;
  }

  void handleAny(Event<?> event) throws Exception {
    @Nullable Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) values[i] = value(event, arguments[i], types[i]);
    Object answer = await(suspension == null ? invoke(values) : suspend(suspension, values));
    if (answer != null) event.reply(answer);
  }

  private @Nullable Object value(Event<?> event, EventStrategy.Argument wanted, Class<?> type) {
    return switch (wanted.from()) {
      case EVENT -> event;
      case META -> event.meta();
      case KEY -> event.key();
      case PARAM -> converted(event.param(wanted.name()), type);
      case HEADER -> converted(event.meta().header(wanted.name()), type);
      case PAYLOAD -> event.payload();
    };
  }

  private @Nullable Object converted(@Nullable String text, Class<?> type) {
    return text == null || type == String.class ? text : conversion.convert(text, type);
  }

  private @Nullable Object suspend(Suspension kotlin, @Nullable Object[] values) throws Exception {
    return kotlin.run(continuation -> {
      @Nullable Object[] all = Arrays.copyOf(values, values.length + 1);
      all[values.length] = continuation;
      return invoke(all);
    });
  }

  private @Nullable Object invoke(@Nullable Object[] values) throws Exception {
    try {
      return method.invoke(object, values);
    } catch (InvocationTargetException e) {
      throw causeOf(e);
    }
  }

  /** The exception that a method threw; throws it if it is an error. */
  static Exception causeOf(InvocationTargetException failure) {
    if (failure.getCause() instanceof Error error) throw error;
    return failure.getCause() instanceof Exception cause ? cause : failure;
  }

  /**
   * Waits for a result that comes later, and cancels it if the handler is interrupted; the
   * handler's virtual thread may block.
   */
  public static @Nullable Object await(@Nullable Object result) throws Exception {
    return switch (result) {
      case CompletionStage<?> later -> end(later.toCompletableFuture());
      case Future<?> later -> end(later);
      case null, default -> result;
    };
  }

  private static @Nullable Object end(Future<?> later) throws Exception {
    try {
      return later.get();
    } catch (InterruptedException e) {
      boolean unused = later.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) throw error;
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
