package dev.kermes.scaladsl

import java.util.concurrent.Flow

/** A publisher that converts the elements of another one. */
private[scaladsl] final class Mapped[A, B](from: Flow.Publisher[A], f: A => B) extends Flow.Publisher[B]:
  def subscribe(subscriber: Flow.Subscriber[? >: B]): Unit =
    from.subscribe(
      new Flow.Subscriber[A]:
        def onSubscribe(subscription: Flow.Subscription): Unit = subscriber.onSubscribe(subscription)
        def onNext(element: A): Unit = subscriber.onNext(f(element))
        def onError(failure: Throwable): Unit = subscriber.onError(failure)
        def onComplete(): Unit = subscriber.onComplete()
    )
