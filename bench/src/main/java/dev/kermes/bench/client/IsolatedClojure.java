package dev.kermes.bench.client;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.RepositoryRoot;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A separate Clojure runtime in this JVM, next to others: with another core.async, or with other
 * settings of it. The client and all other Java classes are shared.
 */
public final class IsolatedClojure {
  private static final String EXECUTOR_FACTORY = "clojure.core.async.executor-factory";

  private final ClassLoader loader;
  private final @Nullable String executorFactory;

  /** The runtime of the class path, unchanged. */
  public static IsolatedClojure standard() {
    return new IsolatedClojure(null, null);
  }

  /** The runtime with the oldest supported core.async, which the build has copied. */
  public static IsolatedClojure oldest() {
    Path jar = RepositoryRoot.root().resolve("bench/target/oldest/core.async-oldest.jar");
    if (!Files.exists(jar)) throw new BenchmarkException("not built: " + jar);
    return new IsolatedClojure(jar, null);
  }

  /**
   * The runtime with a setting of core.async: the name of the function that supplies its executors.
   */
  public static IsolatedClojure withExecutors(String factory) {
    return new IsolatedClojure(null, factory);
  }

  private IsolatedClojure(@Nullable Path first, @Nullable String executorFactory) {
    this.loader = new OwnClojure(classPath(first));
    this.executorFactory = executorFactory;
  }

  private static URL[] classPath(@Nullable Path first) {
    List<URL> urls = new ArrayList<>();
    try {
      if (first != null) urls.add(first.toUri().toURL());
      for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(Path.of(each).toUri().toURL());
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return urls.toArray(new URL[0]);
  }

  /**
   * Calls a function that returns a map of Runnables by name, which run in this runtime.
   *
   * @param function {@code namespace/name}
   */
  public Map<?, ?> call(String function, Object... arguments) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    if (executorFactory != null) System.setProperty(EXECUTOR_FACTORY, executorFactory);
    try {
      Class<?> api = loader.loadClass("clojure.java.api.Clojure");
      Object resolve = var(api, "clojure.core", "requiring-resolve");
      Object symbol = api.getMethod("read", String.class).invoke(null, function);
      Object found = invoke(resolve, symbol);
      return (Map<?, ?>) invoke(found, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Clojure failed: function=" + function, e);
    } finally {
      System.clearProperty(EXECUTOR_FACTORY);
      thread.setContextClassLoader(before);
    }
  }

  private static Object var(Class<?> api, String namespace, String name)
      throws ReflectiveOperationException {
    return api.getMethod("var", Object.class, Object.class).invoke(null, namespace, name);
  }

  private static Object invoke(Object function, Object... arguments)
      throws ReflectiveOperationException {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, Object.class);
    return function.getClass().getMethod("invoke", types).invoke(function, arguments);
  }

  /** Loads classes and resources of Clojure separately for this runtime. */
  private static final class OwnClojure extends URLClassLoader {
    OwnClojure(URL[] urls) {
      super(urls, IsolatedClojure.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("clojure.")) return super.loadClass(name, resolve);
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }

    @Override
    public @Nullable URL getResource(String name) {
      URL own = findResource(name);
      return own != null ? own : super.getResource(name);
    }
  }
}
