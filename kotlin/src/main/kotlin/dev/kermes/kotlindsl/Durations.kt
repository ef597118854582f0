package dev.kermes.kotlindsl

import dev.kermes.client.Command
import dev.kermes.client.RedisOptions
import kotlin.time.Duration
import kotlin.time.toJavaDuration

// Overloads of the client's settings for Kotlin's durations.

/** The same request with a deadline of its own, counted from sending; zero means none. */
public fun <T> Command<T>.withTimeout(timeout: Duration): Command<T> =
  withTimeout(timeout.toJavaDuration())

/** Sets the timeout for connecting and, again, for the handshake; 3 seconds by default. */
public fun RedisOptions.Builder.connectTimeout(connectTimeout: Duration): RedisOptions.Builder =
  connectTimeout(connectTimeout.toJavaDuration())

/** Sets the deadline of each command; 10 seconds by default, zero for none. */
public fun RedisOptions.Builder.commandTimeout(commandTimeout: Duration): RedisOptions.Builder =
  commandTimeout(commandTimeout.toJavaDuration())

/** Sets the silence after which a connection with due replies is closed; 5 seconds by default. */
public fun RedisOptions.Builder.deadPeerTimeout(deadPeerTimeout: Duration): RedisOptions.Builder =
  deadPeerTimeout(deadPeerTimeout.toJavaDuration())

/** Sets the wait after the first failure to connect; 20 ms by default. */
public fun RedisOptions.Builder.backoffFirst(backoffFirst: Duration): RedisOptions.Builder =
  backoffFirst(backoffFirst.toJavaDuration())

/** Sets the longest wait between attempts to connect; 2 seconds by default. */
public fun RedisOptions.Builder.backoffMax(backoffMax: Duration): RedisOptions.Builder =
  backoffMax(backoffMax.toJavaDuration())

/** Sets how often the topology is refreshed without a reason to; 60 seconds by default. */
public fun RedisOptions.Builder.topologyPeriod(topologyPeriod: Duration): RedisOptions.Builder =
  topologyPeriod(topologyPeriod.toJavaDuration())
