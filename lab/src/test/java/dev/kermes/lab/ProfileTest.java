package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProfileTest {

  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Written, so that the loop is not empty. */
  private long sum;

  @Test
  void bestWayOfThisJdk_findsWhatKeepsTheProcessorBusy() throws Exception {
    assertFound(Profile.of(this::compute, 40));
  }

  /** As a JDK without samples of processor time has it. */
  @Test
  void samplesOfThreadsThatRunJava_findIt() throws Exception {
    Profile profile = Profile.of(this::compute, 40, false);
    assertFound(profile);
    assertThat(profile.lost()).isZero();
  }

  private void compute() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < ROUND_NANOS) {
      for (int i = 0; i < 1000; i++) sum += sum ^ i;
    }
  }

  private static void assertFound(Profile profile) {
    assertThat(profile.samples()).isPositive();
    assertThat(profile.share(Layer.REST)).isGreaterThan(50);
    assertThat(profile.millis()).isGreaterThanOrEqualTo(50);
    assertThat(profile.busy()).isPositive();
  }
}
