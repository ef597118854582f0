package dev.kermes.scaladsl

import dev.kermes.client.{Subscription as JavaSubscription, SubscriptionEvent}
import scala.concurrent.{ExecutionContext, Future}

/** Channels or patterns one listens to. It is open from the beginning, and keeps a bounded number of events for who
  * reads them.
  *
  * @param underlying the subscription of Java
  */
final class Subscription private[scaladsl] (val underlying: JavaSubscription) extends AutoCloseable:
  /** Completes when the server has confirmed every channel once; fails when it refuses one. */
  def confirmed: Future[Subscription] =
    Futures.of(underlying.confirmed()).map(_ => this)(using ExecutionContext.parasitic)

  /** What happens on it, to be read once; cancelling closes the subscription. */
  def events: Source[SubscriptionEvent] = Source(() => underlying.publisher())

  /** How many messages were dropped so far. */
  def dropped: Long = underlying.dropped()

  /** Stops listening; the server is told when nobody else of this client listens. */
  def close(): Unit = underlying.close()
