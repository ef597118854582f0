package dev.kermes.scaladsl

import java.util.concurrent.Flow
import scala.concurrent.{Future, Promise}
import scala.util.control.NonFatal

/** Elements that come one after the other, perhaps without end. They are asked for when somebody reads them, by one of
  * these methods and once; the reader is called off the event loop, element by element, and what it has not taken yet is not
  * asked for.
  */
final class Source[T] private[scaladsl] (open: () => Flow.Publisher[T]):
  /** The elements for one subscriber; for the stream libraries. */
  def publisher: Flow.Publisher[T] = open()

  /** Calls `f` with each element. */
  def foreach(f: T => Unit): Reading =
    val reading = new Reader(f)
    open().subscribe(reading)
    reading

  /** What `f` makes of all elements, beginning with `zero`. */
  def fold[A](zero: A)(f: (A, T) => A): Future[A] =
    var sum = zero // owned by the publisher, which calls one by one
    foreach(element => sum = f(sum, element)).done.map(_ => sum)(using scala.concurrent.ExecutionContext.parasitic)

  /** All elements. */
  def toSeq: Future[Seq[T]] =
    fold(Vector.newBuilder[T])(_ += _).map(_.result())(using scala.concurrent.ExecutionContext.parasitic)

/** A [[Source]] that is being read. */
trait Reading:
  /** When the last element has been read, or with what has ended it; never after [[cancel]]. */
  def done: Future[Unit]

  /** Reads no further. */
  def cancel(): Unit

private final class Reader[T](f: T => Unit) extends Flow.Subscriber[T], Reading:
  private val end = Promise[Unit]()
  @volatile private var subscription: Option[Flow.Subscription] = None

  def done: Future[Unit] = end.future

  def cancel(): Unit = subscription.foreach(_.cancel())

  def onSubscribe(upstream: Flow.Subscription): Unit =
    subscription = Some(upstream)
    upstream.request(Long.MaxValue)

  def onNext(element: T): Unit =
    try f(element)
    catch
      case NonFatal(failure) =>
        cancel()
        end.tryFailure(failure)

  def onError(failure: Throwable): Unit = end.tryFailure(failure)

  def onComplete(): Unit = end.trySuccess(())
