package dev.kermes.reactor;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Adapts function values of other JVM languages to functions of one argument. Their classes are
 * recognised by name, so that none of the languages is needed to build or to run the reactor.
 *
 * <pre>
 *   groovy.lang.Closure            call(argument)
 *   clojure.lang.IFn               invoke(argument)
 *   scala.Function1                apply(argument)      Scala 2 and 3
 *   kotlin.jvm.functions.Function1 invoke(argument)
 * </pre>
 *
 * <p>A Kotlin suspend function is not among them: it is a {@code Function2} whose second argument
 * is a continuation, which only Kotlin code can supply.
 */
public final class Functions {

  private record Kind(String className, String method) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("groovy.lang.Closure", "call"),
          new Kind("clojure.lang.IFn", "invoke"),
          new Kind("scala.Function1", "apply"),
          new Kind("kotlin.jvm.functions.Function1", "invoke"));

  private Functions() {}

  /** A function of one argument, written in any language, that may throw. */
  @FunctionalInterface
  public interface Invocable {
    /** Calls the function. */
    @Nullable Object invoke(Object argument) throws Exception;
  }

  /**
   * Adapts a function value of Java or of a supported language.
   *
   * @throws IllegalArgumentException if the object is not a function of a known kind
   */
  public static Invocable of(Object function) {
    if (function instanceof Invocable invocable) return invocable;
    if (function instanceof Consumer<?> consumer) {
      return argument -> {
        @SuppressWarnings("unchecked") // the caller vouches for the type
        Consumer<Object> any = (Consumer<Object>) consumer;
        any.accept(argument);
        return null;
      };
    }
    if (function instanceof Function<?, ?> javaFunction) {
      @SuppressWarnings("unchecked") // the caller vouches for the type
      Function<Object, Object> any = (Function<Object, Object>) javaFunction;
      return any::apply;
    }
    Invocable foreign = foreign(function);
    if (foreign != null) return foreign;
    throw new IllegalArgumentException("not a function: class=" + function.getClass().getName());
  }

  private static @Nullable Invocable foreign(Object function) {
    for (Kind kind : KINDS) {
      Class<?> type = typeOf(function.getClass(), kind.className);
      if (type == null) continue;
      MethodHandle handle = handle(type, kind.method).bindTo(function);
      return argument -> invoke(handle, argument);
    }
    return null;
  }

  /** The superclass or interface of {@code type} with this name; null if it has none. */
  static @Nullable Class<?> typeOf(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (c.getName().equals(name)) return c;
      for (Class<?> face : c.getInterfaces()) {
        Class<?> found = typeOf(face, name);
        if (found != null) return found;
      }
    }
    return null;
  }

  private static MethodHandle handle(Class<?> type, String method) {
    try {
      MethodType signature = MethodType.methodType(Object.class, Object.class);
      return MethodHandles.publicLookup().findVirtual(type, method, signature);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("function has no such method: class=" + type.getName(), e);
    }
  }

  private static @Nullable Object invoke(MethodHandle handle, Object argument) throws Exception {
    try {
      return handle.invoke(argument);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
