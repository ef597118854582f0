package dev.kermes.testkit.munit

import dev.kermes.testkit.{ServerLease, TestServer}
import munit.{AnyFixture, FunSuite}

/** Redis for a suite of munit:
  * {{{
  * class VisitsSuite extends FunSuite, KermesSuite:
  *   test("visits are counted") {
  *     assert(redis().client.blocking.incr("visits") == 1)
  *   }
  * }}}
  *
  * Suites that run one after another share one server, suites that run at the same time have one each. It is clean at
  * the beginning of each test. The message of a test that fails has its last commands and the keys.
  */
trait KermesSuite extends FunSuite:

  /** Describes a server of the suite's own; without it the server is shared. */
  protected def redisBuilder: Option[TestServer.Builder] = None

  /** The server: `redis()` in a test. */
  val redis: Fixture[TestServer] = new Fixture[TestServer]("redis"):
    private var lease: Option[ServerLease] = None

    def apply(): TestServer =
      lease.getOrElse(throw IllegalStateException("the server starts with the first test: use it in a test")).server

    override def beforeAll(): Unit =
      lease = Some(redisBuilder.fold(ServerLease.shared())(ServerLease.own))

    // Not before: munit calls the suite's own beforeEach first, whose data must stay.
    override def afterEach(context: AfterEach): Unit = apply().reset()

    override def afterAll(): Unit = lease.foreach(_.close())

  /** The fixtures; a suite with others adds them to `super.munitFixtures`. */
  override def munitFixtures: Seq[AnyFixture[?]] = redis +: super.munitFixtures

  override def munitTestTransforms: List[TestTransform] =
    super.munitTestTransforms :+ munitAppendToFailureMessage(_ => Some(redis().report))
