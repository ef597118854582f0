package dev.kermes.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A subscriber that asks for elements when the test takes them. */
public final class Collected<T> implements Flow.Subscriber<T> {
  private final LinkedBlockingQueue<T> elements = new LinkedBlockingQueue<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private Flow.@Nullable Subscription subscription;
  private volatile boolean isComplete;

  private Collected() {}

  /** Subscribes to a publisher. */
  public static <T> Collected<T> of(Flow.Publisher<T> publisher) {
    Collected<T> collected = new Collected<>();
    publisher.subscribe(collected);
    return collected;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
  }

  @Override
  public void onNext(T element) {
    elements.add(element);
  }

  @Override
  public void onError(Throwable failure) {
    failures.add(failure);
  }

  @Override
  public void onComplete() {
    isComplete = true;
  }

  /** Asks for one and waits for it. */
  public T take() throws InterruptedException {
    ask(1);
    T element = elements.poll(30, TimeUnit.SECONDS);
    if (element == null) throw new AssertionError("nothing came; failures=" + failures);
    return element;
  }

  /** Asks for this many elements. */
  public void ask(long count) {
    if (subscription != null) subscription.request(count);
  }

  /** Cancels the subscription. */
  public void cancel() {
    if (subscription != null) subscription.cancel();
  }

  /** The elements that arrived and were not taken. */
  public List<T> untaken() {
    return List.copyOf(elements);
  }

  public boolean isComplete() {
    return isComplete;
  }

  public List<Throwable> failures() {
    return failures;
  }
}
