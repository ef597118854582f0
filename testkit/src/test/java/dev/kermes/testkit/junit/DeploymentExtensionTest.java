package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeploymentExtensionTest extends ExtensionContract {

  @Override
  List<Class<?>> shared() {
    return List.of(DeploymentSamples.EachTest.class, DeploymentSamples.EachClass.class);
  }

  @Override
  List<Class<?>> different() {
    return List.of(
        DeploymentSamples.EachTest.class,
        DeploymentSamples.Small.class,
        DeploymentSamples.RealTime.class,
        DeploymentSamples.Registered.class);
  }

  @Override
  List<Class<?>> atTheSameTime() {
    return List.of(DeploymentSamples.Left.class, DeploymentSamples.Right.class);
  }

  @Override
  Class<?> failing() {
    return DeploymentSamples.Failing.class;
  }

  @Test
  void sentinels_areSharedAndReset() {
    SampleRun run =
        SampleRun.of(DeploymentSamples.Watched.class, DeploymentSamples.RegisteredSentinel.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(4);
  }

  @Test
  void deployment_beforeTheFirstTest_isRefused() {
    KermesClusterExtension ofCluster = KermesClusterExtension.of(KermesCluster.builder());
    assertThatThrownBy(ofCluster::cluster)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("no test has begun");
    KermesSentinelExtension ofSentinel = KermesSentinelExtension.of(KermesSentinel.builder());
    assertThatThrownBy(ofSentinel::sentinel).isInstanceOf(IllegalStateException.class);
  }
}
