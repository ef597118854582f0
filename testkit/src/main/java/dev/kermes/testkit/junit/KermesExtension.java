package dev.kermes.testkit.junit;

import dev.kermes.testkit.ServerLease;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The extension behind {@link KermesTest}. A static field registers it with a server of the class's
 * own:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KermesExtension REDIS =
 *     KermesExtension.of(TestServer.builder().option("maxmemory", "10mb"));
 * }</pre>
 *
 * A class whose methods run at the same time then needs {@code @Execution(SAME_THREAD)}.
 */
@SuppressWarnings("exports") // a module that uses JUnit requires it itself; others do without
public final class KermesExtension
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        ParameterResolver {

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(KermesExtension.class);

  private final TestServer.@Nullable Builder builder;
  private volatile @Nullable TestServer last;

  /** Creates the extension for a shared server; JUnit calls this. */
  public KermesExtension() {
    builder = null;
  }

  private KermesExtension(TestServer.Builder builder) {
    this.builder = builder;
  }

  /** An extension with a server of its own for each class that registers it. */
  public static KermesExtension of(TestServer.Builder builder) {
    return new KermesExtension(builder);
  }

  /**
   * The server of the class that runs.
   *
   * @throws IllegalStateException before the first test
   */
  public TestServer server() {
    TestServer server = last;
    if (server != null) return server;
    throw new IllegalStateException("no test has begun: the server starts before @BeforeAll");
  }

  // The server of a class

  @SuppressWarnings("unchecked")
  private ServerLease leaseOf(ExtensionContext context) {
    Closing<ServerLease> stored =
        (Closing<ServerLease>) stored(context, this, () -> newLease(context));
    last = stored.value().server();
    return stored.value();
  }

  private Closing<ServerLease> newLease(ExtensionContext context) {
    stored(context.getRoot(), "end", () -> new Closing<>("end", ServerLease::closeUnused));
    ServerLease lease = builder == null ? annotated(context) : ServerLease.own(builder);
    return new Closing<>(lease, lease::close);
  }

  /** The server that the annotation describes, or the shared one. */
  private static ServerLease annotated(ExtensionContext context) {
    KermesTest wanted = annotation(context).orElse(null);
    if (wanted == null) return ServerLease.shared();
    return ServerLease.of(List.of(wanted.options()), wanted.realTime());
  }

  /** The value that a store has for the key; the first caller makes it. */
  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent
  private static Closing<?> stored(
      ExtensionContext context, Object key, Supplier<Closing<?>> first) {
    return Objects.requireNonNull(
        context.getStore(NAMESPACE).getOrComputeIfAbsent(key, each -> first.get(), Closing.class));
  }

  /** The annotation of the test class, or of a class around it. */
  private static Optional<KermesTest> annotation(ExtensionContext context) {
    Class<?> each = context.getTestClass().orElse(null);
    while (each != null) {
      Optional<KermesTest> found = AnnotationSupport.findAnnotation(each, KermesTest.class);
      if (found.isPresent()) return found;
      each = each.getEnclosingClass();
    }
    return Optional.empty();
  }

  // Callbacks

  @Override
  public void beforeAll(ExtensionContext context) {
    leaseOf(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TestServer server = leaseOf(context).server();
    Reset reset = annotation(context).map(KermesTest::reset).orElse(Reset.EACH_TEST);
    if (reset == Reset.EACH_TEST) server.reset();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Throwable failure = context.getExecutionException().orElse(null);
    if (failure == null) return;
    context.publishReportEntry("redis", leaseOf(context).report(failure));
  }

  // Parameters

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return ServerLease.hasPart(type)
        || type == String.class && parameter.isAnnotated(RedisUrl.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ServerLease lease = leaseOf(context);
    Class<?> type = parameter.getParameter().getType();
    return type == String.class ? lease.server().url() : lease.part(type);
  }
}
