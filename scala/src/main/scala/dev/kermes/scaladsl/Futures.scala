package dev.kermes.scaladsl

import java.util.concurrent.{CompletionException, CompletionStage}
import scala.concurrent.{Future, Promise}
import scala.util.Try

private[scaladsl] object Futures:
  /** Converts a stage to a Future, which completes on the thread that completes the stage. */
  def of[T](stage: CompletionStage[T]): Future[T] =
    val promise = Promise[T]()
    stage.whenComplete { (result, failure) =>
      if failure == null then promise.success(result) else promise.failure(cause(failure))
    }
    promise.future

  /** Runs `body`, which waits for the server, on a virtual thread. */
  def waiting[T](body: => T): Future[T] =
    val promise = Promise[T]()
    Thread.startVirtualThread(() => promise.complete(Try(body)))
    promise.future

  private def cause(failure: Throwable): Throwable = failure match
    case wrapped: CompletionException if wrapped.getCause != null => wrapped.getCause
    case other                                                    => other
