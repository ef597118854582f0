package dev.kermes.scaladsl.events

import dev.kermes.events.Topic as JavaTopic
import dev.kermes.reactor.{Event, HandlerSpec, Retry}
import java.util.concurrent.{CompletableFuture, ConcurrentHashMap, CountDownLatch, Flow, SubmissionPublisher}
import scala.concurrent.duration.DurationInt
import scala.util.control.NonFatal

/** An event of [[Events.source]], which holds its key: later events of the key wait until it is acknowledged.
  *
  * @param event the event
  */
final class Held[T] private[events] (val event: Event[T]):
  private[events] val end = CompletableFuture[Unit]()

  /** Acknowledges the event. False if it was acknowledged before, or is left to the next owner, because the reading or the
    * lease of its partition has ended.
    */
  def ack(): Boolean = end.complete(())

/** The events of a topic for one subscriber. The topic is open from the subscription to its end.
  *
  * Each event is with a handler that waits for its acknowledgement, so the window of the topic bounds how many wait here
  * for the subscriber. An event that is not acknowledged waits for a retry in the end, which the end of the topic cuts
  * short; so it stays with the next owner, and does not become a dead letter.
  */
private[events] final class TopicReading[T](subscriber: Flow.Subscriber[? >: Held[T]]) extends Flow.Subscriber[Held[T]]:
  private val elements = SubmissionPublisher[Held[T]](task => Thread.startVirtualThread(task), Int.MaxValue)
  private val held = ConcurrentHashMap.newKeySet[Held[T]]()
  private val end = CountDownLatch(1)
  private val closed = CountDownLatch(1)

  /** Reads until [[complete]], or until the subscription is cancelled; begins when an earlier reading of the topic has
    * closed it.
    */
  def run(before: Option[TopicReading[?]], spec: HandlerSpec[T], open: () => JavaTopic): Unit =
    elements.subscribe(this)
    before.foreach(_.closed.await())
    val handler = spec.retry(Retry.times(Int.MaxValue).backoff(1.day, 1.day)).handle(event => hold(event))
    try
      val topic = open()
      end.await()
      held.forEach(_.end.cancel(false))
      topic.close()
    catch case NonFatal(failure) => elements.closeExceptionally(failure)
    finally
      handler.close()
      closed.countDown()

  private def hold(event: Event[T]): Unit =
    val element = Held(event)
    held.add(element)
    try
      if end.getCount == 0 then element.end.cancel(false) else elements.submit(element)
      element.end.get()
    finally
      element.end.cancel(false)
      held.remove(element)

  /** Ends the reading after the last element. */
  def complete(): Unit =
    elements.close()
    end.countDown()

  override def onSubscribe(upstream: Flow.Subscription): Unit =
    subscriber.onSubscribe(new Flow.Subscription:
      override def request(count: Long): Unit = upstream.request(count)
      override def cancel(): Unit =
        upstream.cancel()
        end.countDown())

  override def onNext(element: Held[T]): Unit = subscriber.onNext(element)
  override def onError(failure: Throwable): Unit = subscriber.onError(failure)
  override def onComplete(): Unit = subscriber.onComplete()
