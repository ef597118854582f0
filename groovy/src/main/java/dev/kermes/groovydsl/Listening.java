package dev.kermes.groovydsl;

import groovy.lang.Closure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that calls a closure with one element after another, not on the event loop, until
 * it is closed. An exception of the closure ends it, and {@link #getDone} fails with the exception.
 */
public final class Listening implements AutoCloseable {
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;

  private Listening() {}

  static <T> Listening to(Flow.Publisher<T> publisher, Closure<?> body) {
    Listening listening = new Listening();
    publisher.subscribe(listening.new Reader<T>(body));
    return listening;
  }

  /** Completes when the subscription has ended, or fails with the failure that ended it. */
  public CompletionStage<@Nullable Void> getDone() {
    return done.copy();
  }

  /** Ends the subscription. */
  @Override
  public void close() {
    end(null);
  }

  private void end(@Nullable Throwable failure) {
    Flow.Subscription current = subscription;
    if (current != null) current.cancel();
    if (failure == null) done.complete(null);
    else done.completeExceptionally(failure);
  }

  private final class Reader<T> implements Flow.Subscriber<T> {
    private final Closure<?> body;

    Reader(Closure<?> body) {
      this.body = body;
    }

    @Override
    public void onSubscribe(Flow.Subscription upstream) {
      subscription = upstream;
      upstream.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(T element) {
      try {
        body.call(element);
      } catch (Throwable e) { // a failed assertion is an Error
        end(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end(failure);
    }

    @Override
    public void onComplete() {
      end(null);
    }
  }
}
