package dev.kermes.testkit.junit;

import dev.kermes.testkit.DeploymentLease;
import dev.kermes.testkit.KermesSentinel;
import dev.kermes.testkit.junit.KermesTest.Reset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The extension behind {@link KermesSentinelTest}. A static field registers it with servers and
 * sentinels of the class's own:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KermesSentinelExtension REDIS =
 *     KermesSentinelExtension.of(KermesSentinel.builder().downAfter(Duration.ofSeconds(1)));
 * }</pre>
 *
 * A class whose methods run at the same time then needs {@code @Execution(SAME_THREAD)}.
 */
public final class KermesSentinelExtension
    extends DeploymentExtension<KermesSentinel, KermesSentinelTest> {

  private final KermesSentinel.@Nullable Builder builder;

  /** Creates the extension for shared servers and sentinels; JUnit calls this. */
  public KermesSentinelExtension() {
    this(null);
  }

  private KermesSentinelExtension(KermesSentinel.@Nullable Builder builder) {
    super(KermesSentinel.class, KermesSentinelTest.class);
    this.builder = builder;
  }

  /** An extension with servers and sentinels of its own for each class that registers it. */
  public static KermesSentinelExtension of(KermesSentinel.Builder builder) {
    return new KermesSentinelExtension(builder);
  }

  /**
   * The servers and sentinels of the class that runs.
   *
   * @throws IllegalStateException before the first test
   */
  public KermesSentinel sentinel() {
    return current();
  }

  @Override
  Closing<KermesSentinel> begin(Optional<KermesSentinelTest> annotation) {
    if (builder != null) return closing(DeploymentLease.own(builder.withFaults().start()));
    int replicas = annotation.map(KermesSentinelTest::replicas).orElse(KermesSentinelTest.REPLICAS);
    int sentinels =
        annotation.map(KermesSentinelTest::sentinels).orElse(KermesSentinelTest.SENTINELS);
    return closing(DeploymentLease.sentinel(replicas, sentinels));
  }

  @Override
  Reset resetOf(KermesSentinelTest annotation) {
    return annotation.reset();
  }
}
