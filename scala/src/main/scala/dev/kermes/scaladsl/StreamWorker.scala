package dev.kermes.scaladsl

import dev.kermes.client.StreamWorker as JavaStreamWorker
import scala.concurrent.{ExecutionContext, Future}

/** A worker that calls a handler for the entries of a stream; see [[Redis.consume]]. It ends when it or its client is
  * closed, or with a failure that a retry cannot cure.
  *
  * @param underlying the Java worker
  */
final class StreamWorker private[scaladsl] (val underlying: JavaStreamWorker) extends AutoCloseable:
  /** Completes when the last entry has been handled, or fails with the failure that ended the worker. */
  def done: Future[Unit] = Futures.of(underlying.done()).map(_ => ())(using ExecutionContext.parasitic)

  /** Stops after the current entry. Does not wait. */
  def stop(): Unit = underlying.stop()

  /** Stops, and waits until the handler has finished. */
  def close(): Unit = underlying.close()
