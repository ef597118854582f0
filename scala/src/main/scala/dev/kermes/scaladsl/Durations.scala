package dev.kermes.scaladsl

import dev.kermes.client.{Command, RedisOptions}
import scala.concurrent.duration.FiniteDuration
import scala.jdk.DurationConverters.*

// Overloads of the client's settings for Scala's durations.

extension [T](command: Command[T])
  /** The same request with a deadline of its own, counted from sending; zero means none. */
  def withTimeout(timeout: FiniteDuration): Command[T] = command.withTimeout(timeout.toJava)

extension (options: RedisOptions.Builder)
  /** Sets the timeout for connecting and, again, for the handshake; 3 seconds by default. */
  def connectTimeout(connectTimeout: FiniteDuration): RedisOptions.Builder =
    options.connectTimeout(connectTimeout.toJava)

  /** Sets the deadline of each command; 10 seconds by default, zero for none. */
  def commandTimeout(commandTimeout: FiniteDuration): RedisOptions.Builder =
    options.commandTimeout(commandTimeout.toJava)

  /** Sets the silence after which a connection with due replies is closed; 5 seconds by default. */
  def deadPeerTimeout(deadPeerTimeout: FiniteDuration): RedisOptions.Builder =
    options.deadPeerTimeout(deadPeerTimeout.toJava)

  /** Sets the wait after the first failure to connect; 20 ms by default. */
  def backoffFirst(backoffFirst: FiniteDuration): RedisOptions.Builder = options.backoffFirst(backoffFirst.toJava)

  /** Sets the longest wait between attempts to connect; 2 seconds by default. */
  def backoffMax(backoffMax: FiniteDuration): RedisOptions.Builder = options.backoffMax(backoffMax.toJava)

  /** Sets how often the topology is refreshed without a reason to; 60 seconds by default. */
  def topologyPeriod(topologyPeriod: FiniteDuration): RedisOptions.Builder =
    options.topologyPeriod(topologyPeriod.toJava)
