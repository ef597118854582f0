package dev.kermes.reactor;

import dev.kermes.reactor.internal.mapping.Annotations;
import dev.kermes.reactor.internal.mapping.HandlerMethod;
import dev.kermes.reactor.internal.mapping.Suspension;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adapts function values of Java and other JVM languages. Their classes are recognised by name, so
 * that none of the languages is needed to build or to run the reactor.
 *
 * <pre>
 *   groovy.lang.Closure                     call(arguments…)
 *   clojure.lang.IFn                        invoke(arguments…)
 *   scala.Function1, 2, 3                   apply(arguments…)     Scala 2 and 3
 *   kotlin.jvm.functions.Function1, 2, 3    invoke(arguments…)
 * </pre>
 *
 * <p>A suspending function of Kotlin has a continuation as a further argument, and is called in
 * {@code runBlocking} of {@code kotlinx-coroutines}. {@link #callable} is for annotated methods.
 */
public final class Functions {

  private static final int PARAMETERS_MAX = 3;

  private static final String SUSPENDING = "kotlin.coroutines.jvm.internal.SuspendFunction";

  /** The classes of functions with a fixed number of parameters, without that number. */
  private record Kind(String className, String method) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("scala.Function", "apply"), new Kind("kotlin.jvm.functions.Function", "invoke"));

  private Functions() {}

  /** A function of one argument, written in any language, that may throw. */
  @FunctionalInterface
  public interface Invocable {
    /** Calls the function. */
    @Nullable Object invoke(Object argument) throws Exception;
  }

  /** Calls a function with all its arguments. */
  @FunctionalInterface
  private interface Body {
    @Nullable Object call(Object... arguments) throws Exception;
  }

  /** A function and the number of its parameters. */
  private record Adapted(int parameters, Body body) {}

  /**
   * Adapts a function of one argument.
   *
   * @throws IllegalArgumentException if the object is not a function of a known kind, or takes
   *     another number of arguments
   */
  public static Invocable of(Object function) {
    if (function instanceof Invocable invocable) return invocable;
    Adapted adapted = adapt(function);
    if (adapted.parameters == 1) return argument -> adapted.body.call(argument);
    throw new IllegalArgumentException(
        "one parameter expected: parameters=" + adapted.parameters + ", " + function.getClass());
  }

  /**
   * The method by which an object is called: a proxy may not be an instance of the class that
   * declares it.
   *
   * @throws IllegalArgumentException if the object has no such public method
   */
  public static Method callable(Object object, Method declared) {
    if (declared.getDeclaringClass().isInstance(object)) return declared;
    try {
      return object.getClass().getMethod(declared.getName(), declared.getParameterTypes());
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("the proxy does not have it: method=" + declared, e);
    }
  }

  /**
   * Adapts a function to a handler. With one parameter it gets the event; with two, the payload and
   * the metadata; with three, the key, the payload and the metadata. Its result answers a call.
   *
   * @throws IllegalArgumentException if the object is not a function of a known kind
   */
  static <T> Handler<T> handlerOf(Object function) {
    Adapted adapted = adapt(function);
    return event -> {
      Object result = adapted.body.call(arguments(event, adapted.parameters));
      Object answer = HandlerMethod.await(result);
      if (answer != null) event.reply(answer);
    };
  }

  private static Object[] arguments(Event<?> event, int count) {
    return switch (count) {
      case 1 -> new Object[] {event};
      case 2 -> new Object[] {event.payload(), event.meta()};
      default -> new Object[] {event.key(), event.payload(), event.meta()};
    };
  }

  private static Adapted adapt(Object function) {
    Adapted adapted = ofJava(function);
    if (adapted == null) adapted = ofGroovy(function);
    if (adapted == null) adapted = ofClojure(function);
    if (adapted == null) adapted = ofScalaOrKotlin(function);
    if (adapted != null) return adapted;
    throw new IllegalArgumentException("not a function: class=" + function.getClass().getName());
  }

  @SuppressWarnings("unchecked") // the caller vouches for the types
  private static @Nullable Adapted ofJava(Object function) {
    return switch (function) {
      case Invocable invocable -> new Adapted(1, all -> invocable.invoke(all[0]));
      case Function<?, ?> one ->
          new Adapted(1, all -> ((Function<Object, Object>) one).apply(all[0]));
      case BiFunction<?, ?, ?> two ->
          new Adapted(2, all -> ((BiFunction<Object, Object, Object>) two).apply(all[0], all[1]));
      case Consumer<?> one ->
          new Adapted(
              1,
              all -> {
                ((Consumer<Object>) one).accept(all[0]);
                return null;
              });
      case BiConsumer<?, ?> two ->
          new Adapted(
              2,
              all -> {
                ((BiConsumer<Object, Object>) two).accept(all[0], all[1]);
                return null;
              });
      default -> null;
    };
  }

  private static @Nullable Adapted ofGroovy(Object function) {
    Class<?> type = typeOf(function.getClass(), "groovy.lang.Closure");
    if (type == null) return null;
    int declared = count(handle(type, "getMaximumNumberOfParameters", int.class), function);
    int count = Math.clamp(declared, 1, PARAMETERS_MAX);
    MethodHandle call = handle(type, "call", Object.class, Object[].class).bindTo(function);
    return new Adapted(count, arguments -> invoke(call, arguments));
  }

  /** A function of Clojure may have several arities; the smallest is taken. */
  private static @Nullable Adapted ofClojure(Object function) {
    Class<?> type = typeOf(function.getClass(), "clojure.lang.IFn");
    if (type == null) return null;
    int count = 1;
    while (count < PARAMETERS_MAX && !declaresInvoke(function.getClass(), count)) count++;
    if (!declaresInvoke(function.getClass(), count)) count = 1; // variadic, or not an fn
    return spread(function, type, "invoke", count);
  }

  private static boolean declaresInvoke(Class<?> type, int count) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals("invoke") && method.getParameterCount() == count) return true;
    }
    return false;
  }

  private static @Nullable Adapted ofScalaOrKotlin(Object function) {
    boolean isSuspending = typeOf(function.getClass(), SUSPENDING) != null;
    int max = isSuspending ? PARAMETERS_MAX + 1 : PARAMETERS_MAX;
    for (Kind kind : KINDS) {
      for (int count = 1; count <= max; count++) {
        Class<?> type = typeOf(function.getClass(), kind.className + count);
        if (type == null) continue;
        Adapted adapted = spread(function, type, kind.method, count);
        return isSuspending ? suspending(function, adapted) : adapted;
      }
    }
    return null;
  }

  private static Adapted suspending(Object function, Adapted adapted) {
    Suspension suspension = Suspension.of(function.getClass());
    int count = adapted.parameters - 1;
    return new Adapted(
        count,
        arguments ->
            suspension.run(continuation -> {
              Object[] all = Arrays.copyOf(arguments, count + 1);
              all[count] = continuation;
              return adapted.body.call(all);
            }));
  }

  /** A function whose method takes {@code count} objects. */
  private static Adapted spread(Object function, Class<?> type, String method, int count) {
    Class<?>[] objects = new Class<?>[count];
    Arrays.fill(objects, Object.class);
    MethodHandle call = handle(type, method, Object.class, objects).bindTo(function);
    MethodHandle spread = call.asSpreader(Object[].class, count);
    return new Adapted(count, arguments -> invoke(spread, arguments));
  }

  /** The superclass or interface of {@code type} with this name; null if it has none. */
  static @Nullable Class<?> typeOf(Class<?> type, String name) {
    for (Class<?> each : Annotations.hierarchy(type)) if (each.getName().equals(name)) return each;
    return null;
  }

  private static MethodHandle handle(
      Class<?> type, String method, Class<?> result, Class<?>... parameters) {
    try {
      MethodType signature = MethodType.methodType(result, parameters);
      return MethodHandles.publicLookup().findVirtual(type, method, signature);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("function has no such method: class=" + type.getName(), e);
    }
  }

  private static int count(MethodHandle handle, Object function) {
    try {
      return (int) handle.invoke(function);
    } catch (Throwable e) {
      throw new IllegalArgumentException("cannot count parameters: " + function.getClass(), e);
    }
  }

  private static @Nullable Object invoke(MethodHandle handle, Object[] arguments) throws Exception {
    try {
      return handle.invoke(arguments);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
