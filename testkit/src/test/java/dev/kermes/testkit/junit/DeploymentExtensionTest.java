package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kermes.testkit.KermesCluster;
import dev.kermes.testkit.KermesSentinel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeploymentExtensionTest {

  @BeforeEach
  void forgetPorts() {
    DeploymentSamples.PORTS.clear();
  }

  @Test
  void classesOneAfterAnother_shareACluster() {
    SampleRun run =
        SampleRun.of(DeploymentSamples.EachTest.class, DeploymentSamples.EachClass.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(6);
    assertThat(DeploymentSamples.PORTS).hasSize(1);
  }

  @Test
  void classesWithOtherNumbersOrOptions_haveAnotherCluster() {
    SampleRun run =
        SampleRun.of(
            DeploymentSamples.EachTest.class,
            DeploymentSamples.Small.class,
            DeploymentSamples.Registered.class);
    assertThat(run.failures()).isEmpty();
    assertThat(DeploymentSamples.PORTS).hasSize(3);
  }

  @Test
  void classesAtTheSameTime_haveAClusterEach() {
    SampleRun run = SampleRun.of(DeploymentSamples.Left.class, DeploymentSamples.Right.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(2);
    assertThat(DeploymentSamples.PORTS).hasSize(2);
  }

  @Test
  void sentinels_areSharedAndReset() {
    SampleRun run =
        SampleRun.of(DeploymentSamples.Watched.class, DeploymentSamples.RegisteredSentinel.class);
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(3);
  }

  @Test
  void failure_hasTheReport() {
    SampleRun run = SampleRun.of(DeploymentSamples.Failing.class);
    assertThat(run.failures())
        .singleElement()
        .satisfies(failure ->
            assertThat(failure.getSuppressed())
                .singleElement()
                .asString()
                .contains("SET visits one -> OK")
                .contains("INCR visits -> (error) ERR value is not an integer")
                .contains("visits: string"));
    assertThat(run.reports()).singleElement().asString().contains("SET visits one -> OK");
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
