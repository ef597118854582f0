package dev.kermes.client;

import dev.kermes.client.internal.pubsub.BufferedSubscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to channels or patterns, with a bounded buffer of events. Its {@link
 * SubscriptionOptions} define what happens if the reader is too slow; other subscriptions and the
 * connection are not affected. Read it in one way only: by waiting ({@link #take}, {@link #poll}),
 * by stages ({@link #next}) or as a {@link #publisher}. Any thread.
 */
public sealed interface Subscription extends AutoCloseable permits BufferedSubscription {
  /** The channels or patterns. */
  List<String> channels();

  /**
   * Completes with this subscription when the server has confirmed every channel once. Fails with
   * {@link ServerErrorException} if the server refuses one, and with {@link ClientClosedException}
   * if the client or the subscription is closed first.
   */
  CompletionStage<Subscription> confirmed();

  /** Waits for the next event; null if the subscription is closed and no event is left. */
  @Nullable SubscriptionEvent take() throws InterruptedException;

  /**
   * Waits for the next event; null if there is none within {@code timeout} or the subscription is
   * closed.
   */
  @Nullable SubscriptionEvent poll(Duration timeout) throws InterruptedException;

  /**
   * Completes with all buffered events as soon as there is one; with an empty list if the
   * subscription is closed and no event is left. Only one call may be pending.
   */
  CompletionStage<List<SubscriptionEvent>> next();

  /**
   * The events for one subscriber, at the rate of its requests; other events stay in the buffer.
   * Cancelling closes the subscription. The subscriber is called on the client's executor.
   */
  Flow.Publisher<SubscriptionEvent> publisher();

  /** The number of messages dropped so far. */
  long dropped();

  /**
   * Ends the subscription; the client unsubscribes at the server after its last subscription to a
   * channel.
   */
  @Override
  void close();
}
