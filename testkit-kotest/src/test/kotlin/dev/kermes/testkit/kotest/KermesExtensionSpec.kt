package dev.kermes.testkit.kotest

import io.kotest.common.KotestInternal
import io.kotest.core.spec.Spec
import io.kotest.core.spec.SpecRef
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.TestEngineLauncher
import io.kotest.engine.listener.CollectingTestEngineListener
import io.kotest.engine.test.TestResult
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.string.shouldContain
import kotlin.reflect.KClass

/** Runs the specs of Samples.kt. */
class KermesExtensionSpec :
  FunSpec({
    beforeEach { PORTS.clear() }

    test("specs one after another share a server") {
      val results = run(EachTest::class, EachRoot::class, EachSpec::class)
      results.mapNotNull { it.errorOrNull }.shouldBeEmpty()
      results shouldHaveSize 12
      PORTS shouldHaveSize 1
    }

    test("a spec with options has a server of its own") {
      val results = run(EachTest::class, OwnServer::class)
      results.mapNotNull { it.errorOrNull }.shouldBeEmpty()
      PORTS shouldHaveSize 2
    }

    test("a failure has the report") {
      val error = run(Failing::class).single().errorOrNull
      val report = error?.suppressed?.single()?.message
      report shouldContain "SET visits one -> OK"
      report shouldContain "visits: string"
    }
  })

@OptIn(KotestInternal::class)
private suspend fun run(vararg specs: KClass<out Spec>): Collection<TestResult> {
  val results = CollectingTestEngineListener()
  TestEngineLauncher()
    .withListener(results)
    .withSpecRefs(specs.map { SpecRef.Reference(it) })
    .execute()
  return results.tests.values
}
