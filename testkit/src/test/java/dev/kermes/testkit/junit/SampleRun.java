package dev.kermes.testkit.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs {@link Samples} with the JUnit of the class path. */
final class SampleRun implements TestExecutionListener {

  private final Queue<String> passed = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Queue<String> reports = new ConcurrentLinkedQueue<>();

  private SampleRun() {}

  /** Runs classes of Samples at the same time as far as they allow it. */
  static SampleRun of(Class<?>... classes) {
    ClassSelector[] selectors =
        Stream.of(classes).map(each -> selectClass(each)).toArray(ClassSelector[]::new);
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectors)
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .build();
    SampleRun run = new SampleRun();
    LauncherFactory.create().execute(request, run);
    return run;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    result.getThrowable().ifPresent(failures::add);
    boolean isPassed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
    if (test.isTest() && isPassed) passed.add(test.getDisplayName());
  }

  @Override
  public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    reports.addAll(entry.getKeyValuePairs().values());
  }

  int passed() {
    return passed.size();
  }

  Collection<Throwable> failures() {
    return failures;
  }

  Collection<String> reports() {
    return reports;
  }

  /** Runs samples that pass, for {@link KermesExtensionTest}, and prints the number of tests. */
  public static void main(String[] arguments) {
    SampleRun run =
        of(
            Samples.EachTest.class,
            Samples.EachClass.class,
            Samples.Left.class,
            Samples.Right.class,
            DeploymentSamples.EachTest.class,
            DeploymentSamples.Watched.class);
    List.copyOf(run.failures()).forEach(Throwable::printStackTrace);
    System.out.println("passed: " + run.passed());
    System.exit(run.failures().isEmpty() ? 0 : 1);
  }
}
