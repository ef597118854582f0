package dev.kermes.server.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Averages of how fast a counter grows. */
final class RateTest {

  private static final long TENTH_NANOS = 100_000_000;

  private final Rate rate = new Rate();
  private long nanos;

  private void sample(int samples, long count, long growth) {
    for (int i = 1; i <= samples; i++) rate.sample(nanos += TENTH_NANOS, count + i * growth);
  }

  @Test
  void perSecond_isTheAverageOfTheLastSamples() {
    assertThat(rate.perSecond()).isZero();
    sample(Rate.SAMPLES, 0, 50);
    assertThat(rate.perSecond()).isEqualTo(500);
    sample(Rate.SAMPLES / 2, Rate.SAMPLES * 50, 0);
    assertThat(rate.perSecond()).isEqualTo(250);
    sample(Rate.SAMPLES / 2, Rate.SAMPLES * 50, 0);
    assertThat(rate.perSecond()).isZero();
  }

  @Test
  void perSecond_afterAReset_countsFromThere() {
    sample(Rate.SAMPLES, 1000, 0);
    sample(Rate.SAMPLES, 0, 0);
    assertThat(rate.perSecond()).isZero();
    sample(Rate.SAMPLES, 0, 1);
    assertThat(rate.perSecond()).isEqualTo(10);
  }
}
