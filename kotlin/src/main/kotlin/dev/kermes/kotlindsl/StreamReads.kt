package dev.kermes.kotlindsl

import dev.kermes.client.StreamRead

/** The same as a [consumer] of a [group], which must exist: `as` of [StreamRead] without backticks. */
public fun <K : Any, V : Any> StreamRead<K, V>.group(group: String, consumer: String): StreamRead<K, V> =
  `as`(group, consumer)
