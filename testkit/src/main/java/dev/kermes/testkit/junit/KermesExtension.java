package dev.kermes.testkit.junit;

import dev.kermes.testkit.ServerLease;
import dev.kermes.testkit.TestServer;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
public final class KermesExtension extends DeploymentExtension<TestServer, KermesTest> {

  private final TestServer.@Nullable Builder builder;

  /** Creates the extension for a shared server; JUnit calls this. */
  public KermesExtension() {
    this(null);
  }

  private KermesExtension(TestServer.@Nullable Builder builder) {
    super(TestServer.class, KermesTest.class);
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
    return current();
  }

  @Override
  Closing<TestServer> begin(Optional<KermesTest> annotation) {
    ServerLease lease = builder == null ? lease(annotation.orElse(null)) : ServerLease.own(builder);
    return new Closing<>(lease.server(), lease::close);
  }

  /** The server that the annotation describes, or the shared one. */
  private static ServerLease lease(@Nullable KermesTest wanted) {
    if (wanted == null) return ServerLease.shared();
    return ServerLease.of(List.of(wanted.options()), wanted.realTime());
  }

  @Override
  Reset resetOf(KermesTest annotation) {
    return annotation.reset();
  }
}
