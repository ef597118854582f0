package dev.kermes.testkit.scalatest

import java.util.concurrent.ConcurrentLinkedQueue
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.junit.jupiter.api.{BeforeEach, Test}
import org.scalatest.{Args, Suite}
import org.scalatest.events.{Event, TestFailed, TestSucceeded}
import scala.jdk.CollectionConverters.*

/** Runs [[Samples]]. */
class KermesSuiteTest:

  @BeforeEach
  def forgetPorts(): Unit = Samples.ports.clear()

  @Test
  def suitesOneAfterAnother_shareAServer(): Unit =
    val events = run(Samples.Plain(), Samples.Async())
    assertThat(failures(events)).isEqualTo(Seq())
    assertThat(events.count(_.isInstanceOf[TestSucceeded])).isEqualTo(4)
    assertThat(Samples.ports).hasSize(1)

  @Test
  def suiteWithOptions_hasAServerOfItsOwn(): Unit =
    assertThat(failures(run(Samples.Plain(), Samples.OwnServer()))).isEqualTo(Seq())
    assertThat(Samples.ports).hasSize(2)

  @Test
  def failure_hasTheReport(): Unit =
    val failed = failures(run(Samples.Failing())).head
    assertThat(failed.message).contains("SET visits one -> OK", "visits: string")
    assertThat(failed.throwable.get.getSuppressed.apply(0)).hasMessageContaining("SET visits one -> OK")

  @Test
  def suiteThatEndsEarly_givesTheServerBack(): Unit =
    assertThatThrownBy(() => run(Samples.FailingBefore())).hasMessage("before all")
    assertThat(failures(run(Samples.Plain()))).isEqualTo(Seq())
    assertThat(Samples.ports).hasSize(1)

  private def failures(events: Seq[Event]): Seq[TestFailed] = events.collect { case failed: TestFailed => failed }

  private def run(suites: Suite*): Seq[Event] =
    val events = ConcurrentLinkedQueue[Event]
    for suite <- suites do suite.run(None, Args(event => events.add(event))).waitUntilCompleted()
    events.asScala.toSeq
