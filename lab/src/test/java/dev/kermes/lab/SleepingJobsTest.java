package dev.kermes.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A job cannot sleep for less than it was told, but a busy machine may let it sleep longer. */
final class SleepingJobsTest {

  private static final long SLEEP_MILLIS = 10;

  /** More than one sleep on a busy machine, less than two. */
  private static final double ONE_STEP = 1.9 * SLEEP_MILLIS;

  @Test
  void goBlocks_onPoolOf8_nineTakeTwoStepsAndEightTakeOne() throws Exception {
    assertThat(millis(Dispatch.POOL_OF_8, 9)).isGreaterThan(ONE_STEP);
    assertThat(quickest(Dispatch.POOL_OF_8, 8)).isLessThan(ONE_STEP);
  }

  @Test
  void goBlocks_today_seventeenTakeOneStep() throws Exception {
    assertThat(quickest(Dispatch.TODAY, 17)).isLessThan(ONE_STEP);
  }

  @Test
  void run_hasArticleBesideEachWay() throws Exception {
    Findings findings = ExperimentsTest.find(new SleepingJobs());
    Table table = findings.tables().getFirst();
    assertThat(table.rows()).extracting(Table.Row::label).containsExactly("1", "8", "9", "17");
    assertThat(table.rows().get(2).figures().getFirst()).isEqualTo(20.480441);
    assertThat(findings.plots().getFirst().series())
        .containsExactly("article: go", "go, pool of 8", "go, today", "thread", "virtual threads");
    assertThat(findings.versions()).containsEntry("core.async, pool of 8", "1.6.681");
  }

  /** Of many tries, until one is quick enough. */
  private static double quickest(Dispatch dispatch, int jobs) throws Exception {
    double quickest = Double.MAX_VALUE;
    for (int i = 0; i < 500 && quickest >= ONE_STEP; i++) {
      quickest = Math.min(quickest, millis(dispatch, jobs));
    }
    return quickest;
  }

  private static double millis(Dispatch dispatch, long jobs) throws Exception {
    Map<String, Runnable> ways = dispatch.ways("sleep", jobs, SLEEP_MILLIS);
    return Timing.millis(Objects.requireNonNull(ways.get(dispatch.go()))::run);
  }
}
