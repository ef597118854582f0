package dev.kermes.scaladsl

import dev.kermes.client.{Subscription as JavaSubscription, SubscriptionEvent}
import scala.concurrent.{ExecutionContext, Future}

/** A subscription to channels or patterns. It is open from its creation, and buffers a bounded number of events for its
  * reader.
  *
  * @param underlying the Java subscription
  */
final class Subscription private[scaladsl] (val underlying: JavaSubscription) extends AutoCloseable:
  /** Completes when the server has confirmed every channel; fails if it refuses one. */
  def confirmed: Future[Subscription] =
    Futures.of(underlying.confirmed()).map(_ => this)(using ExecutionContext.parasitic)

  /** The events, which can be read once; cancelling closes the subscription. */
  def events: Source[SubscriptionEvent] = Source(() => underlying.publisher())

  /** The number of messages dropped so far. */
  def dropped: Long = underlying.dropped()

  /** Ends the subscription; unsubscribes at the server if it is the last one of this client. */
  def close(): Unit = underlying.close()
