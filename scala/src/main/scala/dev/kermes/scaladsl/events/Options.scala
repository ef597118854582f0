package dev.kermes.scaladsl.events

import dev.kermes.events.schedule.Schedule
import dev.kermes.events.{EmitOptions, Parking, PayloadTypes, RedisEvents, StreamSource}
import dev.kermes.reactor.Retry
import dev.kermes.scaladsl.RedisCodec
import scala.concurrent.duration.FiniteDuration
import scala.jdk.DurationConverters.*
import scala.reflect.{ClassTag, classTag}

// Overloads of the options of events for Scala's durations and codecs.

extension (how: EmitOptions)
  /** The same, appended after this time; to about a second, while a member reads the topic. */
  def delay(time: FiniteDuration): EmitOptions = how.delay(time.toJava)

  /** The same with another time for which the id is remembered. */
  def idKept(time: FiniteDuration): EmitOptions = how.idKept(time.toJava)

  /** The same with a deadline; an event that no handler has begun by then is a dead letter. */
  def within(time: FiniteDuration): EmitOptions = how.within(time.toJava)

  /** The same, emitted only when this many replicas have the event. */
  def replicated(count: Int, timeout: FiniteDuration): EmitOptions = how.replicated(count, timeout.toJava)

extension (builder: RedisEvents.Builder)
  /** Sets how long the partitions of a member that does not answer stay with it. */
  def lease(length: FiniteDuration): RedisEvents.Builder = builder.lease(length.toJava)

  /** Sets how long events are kept after every group has acknowledged them. */
  def retention(age: FiniteDuration): RedisEvents.Builder = builder.retention(age.toJava)

  /** Lets events whose handlers failed wait in Redis, with their keys, for up to `age`. */
  def parking(age: FiniteDuration, how: Parking => Parking = identity): RedisEvents.Builder =
    builder.parking(how(Parking.upTo(age.toJava)))

/** A schedule of every multiple of a period since 1970 UTC, which is at least a millisecond. */
def every(period: FiniteDuration): Schedule = Schedule.every(period.toJava)

extension (parking: Parking)
  /** The same with other waits. */
  def backoff(first: FiniteDuration, max: FiniteDuration): Parking = parking.backoff(first.toJava, max.toJava)

extension (retry: Retry)
  /** The same with other waits. */
  def backoff(first: FiniteDuration, max: FiniteDuration): Retry = retry.backoff(first.toJava, max.toJava)

extension (source: StreamSource)
  /** The same with another time after which an entry that was not acknowledged is given again. */
  def retryAfter(time: FiniteDuration): StreamSource = source.retryAfter(time.toJava)

extension (types: PayloadTypes)
  /** The same with one type more, by its codec; the name is stored with each event. */
  def and[T <: AnyRef: ClassTag](name: String)(using codec: RedisCodec[T]): PayloadTypes =
    types.`with`(name, classTag[T].runtimeClass.asInstanceOf[Class[T]], codec.underlying)
