package dev.kermes.testkit.kotest

import dev.kermes.client.RedisClient
import dev.kermes.server.time.ManualClock
import dev.kermes.testkit.Faults
import dev.kermes.testkit.ServerLease
import dev.kermes.testkit.TestServer
import io.kotest.core.extensions.TestCaseExtension
import io.kotest.core.listeners.AfterSpecListener
import io.kotest.core.spec.Spec
import io.kotest.core.test.TestCase
import io.kotest.core.test.TestType
import io.kotest.engine.test.TestResult

/**
 * Redis for a spec of Kotest 6:
 * ```
 * class VisitsSpec : FunSpec({
 *   val redis = extension(KermesExtension())
 *
 *   test("visits are counted") {
 *     redis.client.blocking().incr("visits") shouldBe 1
 *   }
 * })
 * ```
 *
 * Specs that run one after another share one server, specs that run at the same time have one each.
 * A test that fails reports its last commands and the keys. The tests of a spec must run one after
 * another, as they do by default.
 *
 * @param builder describes a server of the spec's own; without it the server is shared
 * @param reset the times at which the server is reset
 */
public class KermesExtension(
  builder: TestServer.Builder? = null,
  private val reset: Reset = Reset.EACH_TEST,
) : TestCaseExtension, AfterSpecListener {

  private val lease = lazy {
    if (builder == null) ServerLease.shared() else ServerLease.own(builder)
  }

  /** The times at which the server is reset. */
  public enum class Reset {
    /** Before each test that contains no others, but after `beforeSpec`. */
    EACH_TEST,

    /** Before each test or container at the top of the spec, such as a `Given`. */
    EACH_ROOT,

    /** Before the spec only. */
    EACH_SPEC,
  }

  /** The server, which the first access starts. */
  public val server: TestServer
    get() = lease.value.server()

  /** The URL for clients: `redis://127.0.0.1:port`. */
  public val url: String
    get() = server.url()

  /** A client of the server, which ends with it. */
  public val client: RedisClient
    get() = server.client()

  /** The server's clock; throws [IllegalStateException] if it is a real server or in real time. */
  public val clock: ManualClock
    get() = server.clock()

  /** The faults that clients meet. */
  public val faults: Faults
    get() = server.faults()

  override suspend fun intercept(
    testCase: TestCase,
    execute: suspend (TestCase) -> TestResult,
  ): TestResult {
    if (resetsBefore(testCase)) server.reset()
    val result = execute(testCase)
    result.errorOrNull?.let { lease.value.report(it) }
    return result
  }

  private fun resetsBefore(testCase: TestCase) =
    when (reset) {
      Reset.EACH_TEST -> testCase.type == TestType.Test
      Reset.EACH_ROOT -> testCase.parent == null
      Reset.EACH_SPEC -> false
    }

  override suspend fun afterSpec(spec: Spec) {
    if (lease.isInitialized()) lease.value.close()
  }
}
