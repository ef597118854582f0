package dev.kermes.scaladsl

import dev.kermes.client.{Command, RedisOptions}
import scala.concurrent.duration.FiniteDuration
import scala.jdk.DurationConverters.*

// Overloads of the client's settings for Scala's durations.

extension [T](command: Command[T])
  /** A copy of the command with its own timeout. */
  def withTimeout(timeout: FiniteDuration): Command[T] = command.withTimeout(timeout.toJava)

extension (options: RedisOptions.Builder)
  def connectTimeout(connectTimeout: FiniteDuration): RedisOptions.Builder =
    options.connectTimeout(connectTimeout.toJava)
  def commandTimeout(commandTimeout: FiniteDuration): RedisOptions.Builder =
    options.commandTimeout(commandTimeout.toJava)
  def deadPeerTimeout(deadPeerTimeout: FiniteDuration): RedisOptions.Builder =
    options.deadPeerTimeout(deadPeerTimeout.toJava)
  def backoffFirst(backoffFirst: FiniteDuration): RedisOptions.Builder = options.backoffFirst(backoffFirst.toJava)
  def backoffMax(backoffMax: FiniteDuration): RedisOptions.Builder = options.backoffMax(backoffMax.toJava)
  def topologyPeriod(topologyPeriod: FiniteDuration): RedisOptions.Builder =
    options.topologyPeriod(topologyPeriod.toJava)
