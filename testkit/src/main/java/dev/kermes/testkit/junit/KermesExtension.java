package dev.kermes.testkit.junit;

import dev.kermes.client.RedisClient;
import dev.kermes.server.time.ManualClock;
import dev.kermes.testkit.Faults;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.Objects;
import java.util.Optional;
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

  static final ExtensionContext.Namespace NAMESPACE =
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

  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent
  private TestServer serverOf(ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(NAMESPACE);
    Lease lease =
        Objects.requireNonNull(
            store.getOrComputeIfAbsent(this, key -> newLease(context), Lease.class));
    last = lease.server();
    return lease.server();
  }

  private Lease newLease(ExtensionContext context) {
    TestServer.Builder own = builder == null ? annotated(context) : builder;
    if (own != null) return Lease.own(own);
    Lease lease = Lease.shared(ServerPool.of(context));
    lease.server().reset();
    return lease;
  }

  /** The server that the annotation describes; null for the shared one. */
  private static TestServer.@Nullable Builder annotated(ExtensionContext context) {
    KermesTest wanted = annotation(context).orElse(null);
    if (wanted == null || wanted.options().length == 0 && !wanted.realTime()) return null;
    TestServer.Builder own = TestServer.builder();
    for (String option : wanted.options()) {
      String[] parts = option.strip().split("\\s+", 2);
      if (parts.length < 2) {
        throw new IllegalArgumentException("an option is a name and a value: option=" + option);
      }
      own.option(parts[0], parts[1]);
    }
    return wanted.realTime() ? own.realTime() : own;
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
    serverOf(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TestServer server = serverOf(context);
    Reset reset = annotation(context).map(KermesTest::reset).orElse(Reset.EACH_TEST);
    if (reset == Reset.EACH_TEST) server.reset();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Throwable failure = context.getExecutionException().orElse(null);
    if (failure == null) return;
    String report = serverOf(context).report();
    context.publishReportEntry("redis", report);
    failure.addSuppressed(new RedisReport(report));
  }

  /** The report of a failed test, which tools show below its exception. */
  private static final class RedisReport extends Exception {
    private static final long serialVersionUID = 1;

    RedisReport(String text) {
      super(text, null, false, false);
    }
  }

  // Parameters

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestServer.class
        || type == RedisClient.class
        || type == ManualClock.class
        || type == Faults.class
        || type == String.class && parameter.isAnnotated(RedisUrl.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestServer server = serverOf(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == TestServer.class) return server;
    if (type == RedisClient.class) return server.client();
    if (type == ManualClock.class) return server.clock();
    return type == Faults.class ? server.faults() : server.url();
  }
}
