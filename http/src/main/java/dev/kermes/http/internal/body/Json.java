package dev.kermes.http.internal.body;

import dev.kermes.http.HttpException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2.x, looked up by name: the application must provide it. */
public final class Json {

  private record Jackson(MethodHandle read, MethodHandle write) {}

  private static final @Nullable Jackson JACKSON = find();

  private Json() {}

  private static @Nullable Jackson find() {
    try {
      Class<?> type = Class.forName("com.fasterxml.jackson.databind.ObjectMapper");
      Object mapper = type.getConstructor().newInstance();
      type.getMethod("findAndRegisterModules").invoke(mapper);
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      MethodType reads = MethodType.methodType(Object.class, byte[].class, Class.class);
      MethodType writes = MethodType.methodType(byte[].class, Object.class);
      return new Jackson(
          lookup.findVirtual(type, "readValue", reads).bindTo(mapper),
          lookup.findVirtual(type, "writeValueAsBytes", writes).bindTo(mapper));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /**
   * Parses JSON.
   *
   * @throws HttpException 400 if the text is not JSON of that type
   */
  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return type.cast((Object) jackson().read.invoke(json, type));
    } catch (IOException e) {
      throw new HttpException(400, "not the JSON that is expected here");
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static byte[] write(Object value) {
    try {
      return (byte[]) jackson().write.invoke(value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot be JSON: class=" + value.getClass().getName(), e);
    }
  }

  /** Fails if Jackson is missing: called when a route is registered, not at its first request. */
  public static void require() {
    Jackson unused = jackson();
  }

  private static Jackson jackson() {
    if (JACKSON == null) {
      throw new IllegalStateException("JSON needs jackson-databind on the class path");
    }
    return JACKSON;
  }
}
