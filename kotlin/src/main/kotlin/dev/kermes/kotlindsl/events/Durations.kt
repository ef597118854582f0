package dev.kermes.kotlindsl.events

import dev.kermes.events.EmitOptions
import dev.kermes.events.Parking
import dev.kermes.events.RedisEvents
import dev.kermes.events.StreamSource
import dev.kermes.events.schedule.Schedule
import dev.kermes.reactor.EventMeta
import dev.kermes.reactor.Retry
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration

// Overloads of the options of events for Kotlin's durations.

/** The same, appended after this time; to about a second, while a member reads the topic. */
public fun EmitOptions.delay(time: Duration): EmitOptions = delay(time.toJavaDuration())

/** The same with another time for which the id is remembered. */
public fun EmitOptions.idKept(time: Duration): EmitOptions = idKept(time.toJavaDuration())

/** The same with a deadline; an event that no handler has begun by then is a dead letter. */
public fun EmitOptions.within(time: Duration): EmitOptions = within(time.toJavaDuration())

/** The same, emitted only when this many replicas have the event. */
public fun EmitOptions.replicated(count: Int, timeout: Duration): EmitOptions =
  replicated(count, timeout.toJavaDuration())

/** Sets how long the partitions of a member that does not answer stay with it. */
public fun RedisEvents.Builder.lease(length: Duration): RedisEvents.Builder =
  lease(length.toJavaDuration())

/** Sets how long events are kept after every group has acknowledged them. */
public fun RedisEvents.Builder.retention(age: Duration): RedisEvents.Builder =
  retention(age.toJavaDuration())

/** Lets events whose handlers failed wait in Redis, with their keys, for up to [age]. */
public fun RedisEvents.Builder.parking(
  age: Duration,
  how: Parking.() -> Parking = { this },
): RedisEvents.Builder = parking(Parking.upTo(age.toJavaDuration()).how())

/** The same with other waits. */
public fun Parking.backoff(first: Duration, max: Duration): Parking =
  backoff(first.toJavaDuration(), max.toJavaDuration())

/** The same with other waits. */
public fun Retry.backoff(first: Duration, max: Duration): Retry =
  backoff(first.toJavaDuration(), max.toJavaDuration())

/** The same with another time after which an entry that was not acknowledged is given again. */
public fun StreamSource.retryAfter(time: Duration): StreamSource = retryAfter(time.toJavaDuration())

/** A schedule of every multiple of a period since 1970 UTC, which is at least a millisecond. */
public fun every(period: Duration): Schedule = Schedule.every(period.toJavaDuration())

/** The time until the event's deadline; infinite without one. */
public fun EventMeta.timeLeft(): Duration =
  if (hasDeadline()) remaining().toKotlinDuration() else Duration.INFINITE
