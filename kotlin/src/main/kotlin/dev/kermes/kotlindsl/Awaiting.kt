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
 * Sends [command] and suspends until its result arrives; a failure is thrown. Cancelling the
 * coroutine cancels the command: if it is not written yet, it is not sent; otherwise its reply is
 * dropped.
 */
public suspend fun <T> AsyncSender.await(command: Command<T>): T = send(command).awaitOrCancel()

/** Suspends until the stage has completed; cancelling the coroutine cancels the stage. */
internal suspend fun <T> CompletionStage<T>.awaitOrCancel(): T =
  suspendCancellableCoroutine { waiting ->
    whenComplete { result, failure ->
      if (failure != null) waiting.resumeWithException(cause(failure)) else waiting.resume(result)
    }
    if (this is Future<*>) waiting.invokeOnCancellation { cancel(false) }
  }

/**
 * Suspends until the connection is available; if the coroutine is cancelled, returns it to the
 * pool.
 */
internal suspend fun CompletionStage<DedicatedConnection>.awaitOrGiveBack(): DedicatedConnection =
  try {
    awaitOrCancel()
  } catch (e: CancellationException) {
    whenComplete { late, _ -> late?.close() }
    throw e
  }

private fun cause(failure: Throwable): Throwable =
  if (failure is CompletionException) failure.cause ?: failure else failure
