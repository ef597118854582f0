package dev.kermes.scaladsl

import java.util.concurrent.{CompletableFuture, Flow}
import scala.concurrent.{Future, Promise}
import scala.util.control.NonFatal

/** A sequence of elements that arrive over time, perhaps without end. It can be read once, by one of these methods, and
  * requests elements only while it is read. The reader is called element by element, not on the event loop.
  */
final class Source[T] private[scaladsl] (open: () => Flow.Publisher[T]):
  /** A publisher of the elements for one subscriber, for streaming libraries. */
  def publisher: Flow.Publisher[T] = open()

  /** Calls `f` with each element. */
  def foreach(f: T => Unit): Reading =
    val reading = new Reader(f)
    open().subscribe(reading)
    reading

  /** Folds all elements with `f`, beginning with `zero`. */
  def fold[A](zero: A)(f: (A, T) => A): Future[A] =
    var sum = zero // owned by the publisher, which makes one call at a time
    foreach(element => sum = f(sum, element)).done.map(_ => sum)(using scala.concurrent.ExecutionContext.parasitic)

  /** All elements. */
  def toSeq: Future[Seq[T]] =
    fold(Vector.newBuilder[T])(_ += _).map(_.result())(using scala.concurrent.ExecutionContext.parasitic)

/** A [[Source]] that is being read. */
trait Reading:
  /** Completes when the last element has been read, or fails if the source fails; never completes after [[cancel]]. */
  def done: Future[Unit]

  /** Stops reading. */
  def cancel(): Unit

private final class Reader[T](f: T => Unit) extends Flow.Subscriber[T], Reading:
  private val end = Promise[Unit]()
  private val subscription = CompletableFuture[Flow.Subscription]()

  def done: Future[Unit] = end.future

  def cancel(): Unit = subscription.thenAccept(_.cancel())

  def onSubscribe(upstream: Flow.Subscription): Unit =
    subscription.complete(upstream)
    upstream.request(Long.MaxValue)

  def onNext(element: T): Unit =
    try f(element)
    catch
      case NonFatal(failure) =>
        cancel()
        end.tryFailure(failure)

  def onError(failure: Throwable): Unit = end.tryFailure(failure)

  def onComplete(): Unit = end.trySuccess(())
