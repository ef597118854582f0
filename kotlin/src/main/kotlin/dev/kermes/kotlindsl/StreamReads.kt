package dev.kermes.kotlindsl

import dev.kermes.client.StreamRead

/** Reads as a [consumer] of a [group], which must exist: [StreamRead.as] without backticks. */
public fun <K : Any, V : Any> StreamRead<K, V>.group(
  group: String,
  consumer: String,
): StreamRead<K, V> = `as`(group, consumer)
