package dev.kermes.testkit.munit

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.{BeforeEach, Test}
import org.junit.runner.{JUnitCore, Result}

/** Runs the suites of Samples.scala, as JUnit 4 does. */
class KermesSuiteTest:

  @BeforeEach
  def forgetPorts(): Unit = ports.clear()

  @Test
  def suitesOneAfterAnother_shareAServer(): Unit =
    val result = run(classOf[Plain], classOf[Another])
    assertThat(result.getFailures).isEmpty()
    assertThat(result.getRunCount).isEqualTo(3)
    assertThat(ports).hasSize(1)

  @Test
  def suiteWithOptions_hasAServerOfItsOwn(): Unit =
    assertThat(run(classOf[Plain], classOf[OwnServer]).getFailures).isEmpty()
    assertThat(ports).hasSize(2)

  @Test
  def failure_hasTheReport(): Unit =
    val failures = run(classOf[Failing]).getFailures
    assertThat(failures).hasSize(1)
    assertThat(failures.get(0).getMessage).contains("SET visits one -> OK", "visits: string")

  private def run(suites: Class[?]*): Result = JUnitCore.runClasses(suites*)
