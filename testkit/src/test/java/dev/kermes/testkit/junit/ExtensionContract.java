package dev.kermes.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tests that the extension of each deployment has to pass with its samples. */
abstract class ExtensionContract {

  @BeforeEach
  void forgetUrls() {
    SampleBodies.URLS.clear();
  }

  /** Two classes without settings: one that is reset before each test, one before the class. */
  abstract List<Class<?>> shared();

  /** Classes with different settings. */
  abstract List<Class<?>> different();

  /** Two of {@link SampleBodies.AtTheSameTime}. */
  abstract List<Class<?>> atTheSameTime();

  /** One of {@link SampleBodies.Failing}. */
  abstract Class<?> failing();

  static SampleRun run(List<Class<?>> classes) {
    return SampleRun.of(classes.toArray(Class<?>[]::new));
  }

  @Test
  void classesOneAfterAnother_shareADeployment() {
    SampleRun run = run(shared());
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isGreaterThanOrEqualTo(6);
    assertThat(SampleBodies.URLS).hasSize(1);
  }

  @Test
  void classesWithOtherSettings_haveAnotherDeployment() {
    SampleRun run = run(different());
    assertThat(run.failures()).isEmpty();
    assertThat(SampleBodies.URLS).hasSize(different().size());
  }

  @Test
  void classesAtTheSameTime_haveADeploymentEach() {
    SampleRun run = run(atTheSameTime());
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isEqualTo(4);
    assertThat(SampleBodies.URLS).hasSize(2);
  }

  @Test
  void failure_hasTheReport() {
    SampleRun run = SampleRun.of(failing());
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
}
