package dev.kermes.kotlindsl

import dev.kermes.client.Command
import dev.kermes.client.RedisOptions
import kotlin.time.Duration
import kotlin.time.toJavaDuration

// Overloads of the client's settings for Kotlin's durations.

/** As [Command.withTimeout]. */
public fun <T> Command<T>.withTimeout(timeout: Duration): Command<T> =
  withTimeout(timeout.toJavaDuration())

/** As [RedisOptions.Builder.connectTimeout]. */
public fun RedisOptions.Builder.connectTimeout(connectTimeout: Duration): RedisOptions.Builder =
  connectTimeout(connectTimeout.toJavaDuration())

/** As [RedisOptions.Builder.commandTimeout]. */
public fun RedisOptions.Builder.commandTimeout(commandTimeout: Duration): RedisOptions.Builder =
  commandTimeout(commandTimeout.toJavaDuration())

/** As [RedisOptions.Builder.deadPeerTimeout]. */
public fun RedisOptions.Builder.deadPeerTimeout(deadPeerTimeout: Duration): RedisOptions.Builder =
  deadPeerTimeout(deadPeerTimeout.toJavaDuration())

/** As [RedisOptions.Builder.backoffFirst]. */
public fun RedisOptions.Builder.backoffFirst(backoffFirst: Duration): RedisOptions.Builder =
  backoffFirst(backoffFirst.toJavaDuration())

/** As [RedisOptions.Builder.backoffMax]. */
public fun RedisOptions.Builder.backoffMax(backoffMax: Duration): RedisOptions.Builder =
  backoffMax(backoffMax.toJavaDuration())

/** As [RedisOptions.Builder.topologyPeriod]. */
public fun RedisOptions.Builder.topologyPeriod(topologyPeriod: Duration): RedisOptions.Builder =
  topologyPeriod(topologyPeriod.toJavaDuration())
