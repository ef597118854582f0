package dev.kermes.testkit.scalatest

import dev.kermes.testkit.{ServerLease, TestServer}
import org.scalatest.{Args, BeforeAndAfterAll, BeforeAndAfterEach, Reporter, Status, Suite}
import org.scalatest.events.TestFailed

/** Redis for a suite of ScalaTest, of any style, synchronous or asynchronous:
  * {{{
  * class VisitsSuite extends AnyFunSuite, KermesSuite:
  *   test("visits are counted") {
  *     assert(redis.client.blocking.incr("visits") == 1)
  *   }
  * }}}
  *
  * Suites that run one after another share one server, suites that run at the same time have one each. It is reset
  * before each test, before `beforeEach`. The message of a test that fails has its last commands and the keys.
  */
trait KermesSuite extends BeforeAndAfterAll, BeforeAndAfterEach:
  this: Suite =>

  @volatile private var lease: Option[ServerLease] = None

  /** Describes a server of the suite's own; without it the server is shared. */
  protected def redisBuilder: Option[TestServer.Builder] = None

  /** The server, from `beforeAll` on. */
  def redis: TestServer = current.server

  private def current: ServerLease =
    lease.getOrElse(throw IllegalStateException("the server starts with the suite's run: use it in a test"))

  abstract override def run(testName: Option[String], args: Args): Status =
    val taken = redisBuilder.fold(ServerLease.shared())(ServerLease.own)
    lease = Some(taken)
    try super.run(testName, args).withAfterEffect(taken.close())
    catch // beforeAll may throw
      case failure: Throwable =>
        taken.close()
        throw failure

  abstract override protected def runTest(testName: String, args: Args): Status =
    redis.reset()
    super.runTest(testName, args.copy(reporter = reporting(args.reporter)))

  /** A reporter that adds the server's report to failures. */
  private def reporting(reporter: Reporter): Reporter =
    case failed: TestFailed =>
      val report = failed.throwable.fold(redis.report)(current.report)
      reporter(failed.copy(message = s"${failed.message}\n$report"))
    case event => reporter(event)
