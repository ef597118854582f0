package dev.kermes.kotlin

import dev.kermes.client.AsyncSender
import dev.kermes.client.Command
import dev.kermes.client.DedicatedConnection
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import java.util.concurrent.Future
import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.cancellation.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Sends [command] and suspends until its result is there; what it fails with is thrown. When the
 * coroutine is cancelled, so is the command: what was not written yet will not be, and the reply to
 * what was is dropped when it comes.
 */
public suspend fun <T> AsyncSender.await(command: Command<T>): T = send(command).awaitOrCancel()

/**
 * Suspends until the stage has ended; when the coroutine is cancelled, so is the stage. A connection
 * that comes too late is given back: by the stage if the coroutine was cancelled before, by the
 * coroutine if it is cancelled between its result and its dispatch. (A function of `resume` for that
 * is another one in each version of kotlinx-coroutines.)
 */
internal suspend fun <T> CompletionStage<T>.awaitOrCancel(): T {
  val borrowed = AtomicReference<DedicatedConnection>()
  try {
    return suspendCancellableCoroutine { waiting ->
      whenComplete { result, failure ->
        if (result is DedicatedConnection) borrowed.set(result)
        when {
          failure != null -> waiting.resumeWithException(cause(failure))
          waiting.isActive -> waiting.resume(result)
          else -> borrowed.get()?.close()
        }
      }
      if (this is Future<*>) waiting.invokeOnCancellation { cancel(false) }
    }
  } catch (cancelled: CancellationException) {
    borrowed.get()?.close()
    throw cancelled
  }
}

private fun cause(failure: Throwable): Throwable =
  if (failure is CompletionException) failure.cause ?: failure else failure
