package dev.kermes.kotlindsl.events

import dev.kermes.reactor.Event
import dev.kermes.reactor.HandlerSpec
import dev.kermes.reactor.Retry
import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.days
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/**
 * An event that its collector has not finished waits for a retry, which the end of the topic cuts
 * short; so it stays with the next owner, and does not become a dead letter.
 */
private val UNTIL_CLOSED = Retry.times(Int.MAX_VALUE).backoff(1.days, 1.days)

/** An event on its way to the collector, whose handler waits for [finished]. */
private class Handed<T : Any>(val event: Event<T>) {
  val finished = CompletableFuture<Unit>()

  suspend fun handTo(collector: FlowCollector<Event<T>>) {
    try {
      collector.emit(event)
      finished.complete(Unit)
    } finally {
      finished.completeExceptionally(CancellationException("the collection has ended"))
    }
  }
}

/** The events of a topic that [open] opens, through a handler that waits for the collector. */
internal fun <T : Any> topicFlow(spec: HandlerSpec<T>, open: suspend () -> Topic): Flow<Event<T>> =
  flow {
    val handed = Channel<Handed<T>>()
    val handler =
      spec.retry(UNTIL_CLOSED).handle { event ->
        val each = Handed(event)
        runBlocking { handed.send(each) }
        each.finished.get()
      }
    handler.use {
      val topic = open()
      try {
        for (each in handed) each.handTo(this)
      } finally {
        handed.cancel()
        withContext(NonCancellable) { topic.close() }
      }
    }
  }
