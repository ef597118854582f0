package dev.kermes.client.internal.scan;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes elements that arrive in pages to one subscriber. It asks for the next page when the
 * last one has been passed on and the subscriber wants more, so it holds at most one page. It
 * follows the rules of {@link Flow}: signals come one after the other, on the executor. If a
 * subscriber throws, the exception is logged and passed to its {@code onError}, as {@link
 * java.util.concurrent.SubmissionPublisher} does.
 */
public final class PagePublisher<T> implements Flow.Publisher<T> {
  private static final Logger LOG = LoggerFactory.getLogger(PagePublisher.class);

  private final Supplier<CompletionStage<List<T>>> nextPage;
  private final Runnable onCancel;
  private final Executor executor;
  private final AtomicBoolean isTaken = new AtomicBoolean();

  /**
   * Publishes the pages of {@code nextPage} until an empty one. A source that may get empty pages
   * must ask again itself.
   */
  public PagePublisher(
      Supplier<CompletionStage<List<T>>> nextPage, Runnable onCancel, Executor executor) {
    this.nextPage = nextPage;
    this.onCancel = onCancel;
    this.executor = executor;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super T> subscriber) {
    Reading reading = new Reading(subscriber);
    subscriber.onSubscribe(reading);
    if (!isTaken.compareAndSet(false, true)) {
      reading.refuse(new IllegalStateException("one subscriber only"));
    }
  }

  private final class Reading implements Flow.Subscription {
    private final Flow.Subscriber<? super T> subscriber;
    private final AtomicLong wanted = new AtomicLong();

    /**
     * The number of requested runs of {@link #run} that have not been done; the thread that raises
     * it from 0 schedules the run.
     */
    private final AtomicInteger calls = new AtomicInteger();

    private volatile @Nullable Throwable refusal;
    private volatile boolean isOver;
    private boolean isAtEnd;
    private Iterator<T> page = List.<T>of().iterator();
    private @Nullable CompletionStage<List<T>> asked;

    Reading(Flow.Subscriber<? super T> subscriber) {
      this.subscriber = subscriber;
    }

    void refuse(Throwable cause) {
      refusal = cause;
      schedule();
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        refusal = new IllegalArgumentException("request of " + count);
      } else {
        wanted.accumulateAndGet(count, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
      }
      schedule();
    }

    @Override
    public void cancel() {
      if (isOver) return;
      isOver = true;
      onCancel.run();
    }

    private void schedule() {
      if (calls.getAndIncrement() > 0) return;
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        Thread.ofVirtual().start(this::run);
      }
    }

    private void run() {
      int heeded = calls.get();
      do {
        step();
        heeded = calls.addAndGet(-heeded);
      } while (heeded > 0);
    }

    private void step() {
      Throwable refused = refusal;
      if (refused != null || isAtEnd) end(refused);
      while (!isOver && wanted.get() > 0 && page.hasNext()) {
        if (wanted.get() != Long.MAX_VALUE) wanted.getAndDecrement();
        pass(page.next());
      }
      if (!isOver && wanted.get() > 0 && asked == null) ask();
    }

    private void pass(T element) {
      try {
        subscriber.onNext(element);
      } catch (Throwable e) { // including failed assertions
        LOG.warn("a subscriber threw; ending its subscription", e);
        if (isOver) return;
        onCancel.run();
        end(e);
      }
    }

    private void ask() {
      CompletionStage<List<T>> stage = nextPage.get();
      asked = stage;
      var unused =
          stage.whenComplete((elements, failure) -> {
            if (failure != null) refusal = cause(failure);
            else if (elements.isEmpty()) isAtEnd = true;
            else page = elements.iterator(); // not read while a page is being fetched
            asked = null;
            schedule();
          });
    }

    private void end(@Nullable Throwable cause) {
      if (isOver) return;
      isOver = true;
      try {
        if (cause == null) subscriber.onComplete();
        else subscriber.onError(cause);
      } catch (Throwable e) {
        LOG.warn("a subscriber threw from onComplete or onError", e);
      }
    }
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
