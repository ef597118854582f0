package dev.kermes.kotlindsl

import dev.kermes.client.AsyncSender
import dev.kermes.client.Command
import dev.kermes.client.DedicatedConnection
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import java.util.concurrent.Future
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Sends [command] and suspends until its result is there; what it fails with is thrown. When the
 * coroutine is cancelled, so is the command: what was not written yet will not be, and the reply to
 * what was is dropped when it comes.
 */
public suspend fun <T> AsyncSender.await(command: Command<T>): T = send(command).awaitOrCancel()

/** Suspends until the stage has ended; when the coroutine is cancelled, so is the stage. */
internal suspend fun <T> CompletionStage<T>.awaitOrCancel(): T = suspendCancellableCoroutine { waiting ->
  whenComplete { result, failure ->
    if (failure != null) waiting.resumeWithException(cause(failure)) else waiting.resume(result)
  }
  if (this is Future<*>) waiting.invokeOnCancellation { cancel(false) }
}

/** Suspends until the connection is there; one that comes after the coroutine was cancelled is given back. */
internal suspend fun CompletionStage<DedicatedConnection>.awaitOrGiveBack(): DedicatedConnection =
  try {
    awaitOrCancel()
  } catch (e: CancellationException) {
    whenComplete { late, _ -> late?.close() }
    throw e
  }

private fun cause(failure: Throwable): Throwable =
  if (failure is CompletionException) failure.cause ?: failure else failure
