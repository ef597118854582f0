package dev.kermes.scaladsl.events

import dev.kermes.events.{DeadLetter, ParkedKey, Topic as JavaTopic}
import dev.kermes.reactor.Source.Health
import dev.kermes.scaladsl.Futures
import scala.concurrent.Future
import scala.concurrent.duration.{DurationInt, FiniteDuration}
import scala.jdk.CollectionConverters.*
import scala.jdk.DurationConverters.*

/** A topic whose events this member handles, together with the other members of its group.
  *
  * @param underlying the Java API
  */
final class Topic private[events] (val underlying: JavaTopic):
  /** The first segment of its events' keys. */
  def name: String = underlying.name

  /** The number of its partitions. */
  def partitions: Int = underlying.partitions

  /** The partition of a key, which is given without the topic. */
  def partition(key: String): Int = underlying.partition(key)

  /** The partitions that this member owns. */
  def mine: Set[Int] = underlying.mine.asScala.iterator.map(_.intValue).toSet

  /** Whether this member owns the partition of a key, by its own clock. */
  def isMine(key: String): Boolean = underlying.isMine(key)

  /** The member that owns the partition of a key. */
  def owner(key: String): Future[Option[String]] = Futures.waiting(Option(underlying.owner(key)))

  /** Whether the topic is read, and the last failure if not. */
  def health: Health = underlying.health

  /** The events that the group failed to handle, of each partition the oldest first. */
  def deadLetters(max: Int = 100): Future[Seq[DeadLetter]] =
    Futures.waiting(underlying.deadLetters.list(max).asScala.toVector)

  /** Appends the event once more, for the handlers that failed; it comes behind later events of its key. False if there
    * is no such dead letter any more.
    */
  def replay(letter: DeadLetter): Future[Boolean] = Futures.waiting(underlying.deadLetters.replay(letter))

  /** Deletes a dead letter; false if there is no such one any more. */
  def drop(letter: DeadLetter): Future[Boolean] = Futures.waiting(underlying.deadLetters.drop(letter))

  /** The parked keys of the group, of each partition those first that are due next. */
  def parked(max: Int = 100): Future[Seq[ParkedKey]] = Futures.waiting(underlying.parked(max).asScala.toVector)

  /** Stops reading, gives handlers this time, flushes acknowledgements and releases the partitions; completes with the
    * number of events that were left.
    */
  def close(timeout: FiniteDuration = 10.seconds): Future[Int] = Futures.waiting(underlying.close(timeout.toJava))
