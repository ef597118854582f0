package dev.kermes.groovydsl;

import groovy.lang.Closure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A closure that is called with one thing after another, off the event loop, until this is closed.
 * What it throws ends it, and {@link #getDone} fails with that.
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

  /** Completes when nothing comes any more, or fails with what has ended it. */
  public CompletionStage<@Nullable Void> getDone() {
    return done.copy();
  }

  /** Stops listening. */
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
      } catch (Throwable e) { // an assertion that fails, too
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
