package dev.kermes.testkit.junit;

import dev.kermes.testkit.DeploymentLease;
import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The extension behind {@link KermesClusterTest}. A static field registers it with a cluster of the
 * class's own:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KermesClusterExtension REDIS =
 *     KermesClusterExtension.of(KermesCluster.builder().masters(1).option("maxmemory", "10mb"));
 * }</pre>
 *
 * A class whose methods run at the same time then needs {@code @Execution(SAME_THREAD)}.
 */
public final class KermesClusterExtension
    extends DeploymentExtension<KermesCluster, KermesClusterTest> {

  private final KermesCluster.@Nullable Builder builder;

  /** Creates the extension for a shared cluster; JUnit calls this. */
  public KermesClusterExtension() {
    this(null);
  }

  private KermesClusterExtension(KermesCluster.@Nullable Builder builder) {
    super(KermesCluster.class, KermesClusterTest.class);
    this.builder = builder;
  }

  /** An extension with a cluster of its own for each class that registers it. */
  public static KermesClusterExtension of(KermesCluster.Builder builder) {
    return new KermesClusterExtension(builder);
  }

  /**
   * The cluster of the class that runs.
   *
   * @throws IllegalStateException before the first test
   */
  public KermesCluster cluster() {
    return current();
  }

  @Override
  Closing<KermesCluster> begin(Optional<KermesClusterTest> annotation) {
    if (builder != null) return closing(DeploymentLease.own(builder.withFaults().start()));
    int masters = annotation.map(KermesClusterTest::masters).orElse(KermesClusterTest.MASTERS);
    int replicas = annotation.map(KermesClusterTest::replicas).orElse(KermesClusterTest.REPLICAS);
    boolean isRealTime = annotation.map(KermesClusterTest::realTime).orElse(false);
    return closing(DeploymentLease.cluster(masters, replicas, isRealTime));
  }

  @Override
  Reset resetOf(KermesClusterTest annotation) {
    return annotation.reset();
  }
}
