package dev.kermes.scaladsl

import dev.kermes.client.{Command, RedisOptions}
import scala.concurrent.duration.FiniteDuration
import scala.jdk.DurationConverters.*

// The client's settings that are durations, as those of Scala.

extension [T](command: Command[T])
  /** The same command with a deadline of its own. */
  def withTimeout(timeout: FiniteDuration): Command[T] = command.withTimeout(timeout.toJava)

extension (options: RedisOptions.Builder)
  def connectTimeout(connectTimeout: FiniteDuration): RedisOptions.Builder = options.connectTimeout(connectTimeout.toJava)
  def commandTimeout(commandTimeout: FiniteDuration): RedisOptions.Builder = options.commandTimeout(commandTimeout.toJava)
  def deadPeerTimeout(deadPeerTimeout: FiniteDuration): RedisOptions.Builder = options.deadPeerTimeout(deadPeerTimeout.toJava)
  def backoffFirst(backoffFirst: FiniteDuration): RedisOptions.Builder = options.backoffFirst(backoffFirst.toJava)
  def backoffMax(backoffMax: FiniteDuration): RedisOptions.Builder = options.backoffMax(backoffMax.toJava)
  def topologyPeriod(topologyPeriod: FiniteDuration): RedisOptions.Builder = options.topologyPeriod(topologyPeriod.toJava)
