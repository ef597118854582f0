package dev.kermes.reactor.internal.mapping;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls suspending functions of Kotlin, whose last parameter is a continuation. They run in {@code
 * runBlocking}: the handler's virtual thread waits until the function has ended, which keeps the
 * order per key, and an interrupt of the handler cancels the coroutine. Kotlin's classes are found
 * by name, so that Kotlin is not needed to build or to run the reactor.
 */
public final class Suspension {

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** Calls a function with a continuation as the last argument. */
  @FunctionalInterface
  public interface Body {
    /** Calls the function. */
    @Nullable Object call(Object continuation) throws Exception;
  }

  private final Class<?> function;
  private final Method runBlocking;
  private final Object context;

  private Suspension(ClassLoader loader) throws ReflectiveOperationException {
    function = Class.forName("kotlin.jvm.functions.Function2", true, loader);
    Class<?> contextType = Class.forName("kotlin.coroutines.CoroutineContext", true, loader);
    Class<?> empty = Class.forName("kotlin.coroutines.EmptyCoroutineContext", true, loader);
    context = empty.getField("INSTANCE").get(null);
    runBlocking =
        Class.forName("kotlinx.coroutines.BuildersKt", true, loader)
            .getMethod("runBlocking", contextType, function);
  }

  /**
   * Finds Kotlin's classes through those of a function.
   *
   * @throws IllegalArgumentException if {@code kotlinx-coroutines} is not there
   */
  public static Suspension of(Class<?> type) {
    try {
      return new Suspension(type.getClassLoader());
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          "a suspending function needs kotlinx-coroutines: class=" + type.getName(), e);
    }
  }

  /** Whether a method is a suspending function. */
  static boolean isSuspending(Method method) {
    int count = method.getParameterCount();
    return count > 0 && method.getParameterTypes()[count - 1].getName().equals(CONTINUATION);
  }

  /** The parameters that a caller in Kotlin sees. */
  static List<Parameter> parametersOf(Method method) {
    List<Parameter> all = Arrays.asList(method.getParameters());
    return isSuspending(method) ? all.subList(0, all.size() - 1) : all;
  }

  /** Runs a suspending function and waits for its result. */
  public @Nullable Object run(Body body) throws Exception {
    Object block =
        Proxy.newProxyInstance(
            function.getClassLoader(),
            new Class<?>[] {function},
            (proxy, method, arguments) ->
                method.getName().equals("invoke") ? body.call(arguments[1]) : null);
    try {
      return runBlocking.invoke(null, context, block);
    } catch (InvocationTargetException e) {
      throw HandlerMethod.causeOf(e);
    }
  }
}
