package dev.kermes.scaladsl

import dev.kermes.client.StreamWorker as JavaStreamWorker
import scala.concurrent.{ExecutionContext, Future}

/** A handler at work on a stream, by [[Redis.consume]]. Ends when it or its client is closed, or with what waiting does
  * not cure.
  *
  * @param underlying the worker of Java
  */
final class StreamWorker private[scaladsl] (val underlying: JavaStreamWorker) extends AutoCloseable:
  /** When the last entry has been handled, or with what has ended it. */
  def done: Future[Unit] = Futures.of(underlying.done()).map(_ => ())(using ExecutionContext.parasitic)

  /** Lets the handler finish the entry that it has and begins none after it. Does not wait. */
  def stop(): Unit = underlying.stop()

  /** As [[stop]], and waits until the handler has finished. */
  def close(): Unit = underlying.close()
