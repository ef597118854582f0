package dev.kermes.testkit.spock

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request

import org.junit.platform.launcher.core.LauncherFactory
import org.junit.platform.launcher.listeners.SummaryGeneratingListener
import org.junit.platform.launcher.listeners.TestExecutionSummary
import spock.lang.Specification

/** Runs {@link Samples}. */
class KermesSpecSpec extends Specification {

  def setup() {
    Samples.PORTS.clear()
  }

  def 'specifications one after another share a server'() {
    when:
    def summary = run(Samples.EachIteration, Samples.EachSpec, Samples.Inherited)

    then:
    summary.failures*.exception == []
    summary.testsSucceededCount == 9 + 3 // each feature with a where block counts, too
    Samples.PORTS.size() == 1
  }

  def 'a specification with options has a server of its own'() {
    when:
    def summary = run(Samples.EachIteration, Samples.OwnServer)

    then:
    summary.failures*.exception == []
    Samples.PORTS.size() == 2
  }

  def 'a failure has the report'() {
    when:
    def failures = run(Samples.Failing).failures

    then:
    failures.size() == 1
    def report = failures.first().exception.suppressed.first().message
    report.contains('SET visits one -> OK')
    report.contains('visits: string')
  }

  private static TestExecutionSummary run(Class<?>... specs) {
    def listener = new SummaryGeneratingListener()
    LauncherFactory.create().execute(request().selectors(specs.collect { selectClass(it) }).build(), listener)
    listener.summary
  }
}
