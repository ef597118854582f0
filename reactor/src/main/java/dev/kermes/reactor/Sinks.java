package dev.kermes.reactor;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The sinks of a reactor, by patterns. Any thread. */
final class Sinks {

  private final PatternIndex<Sink> index = new PatternIndex<>();
  private final Hooks hooks;

  Sinks(Hooks hooks) {
    this.hooks = hooks;
  }

  void add(RoutePattern pattern, Sink sink) {
    index.add(pattern, sink);
  }

  void remove(RoutePattern pattern, Sink sink) {
    index.remove(pattern, sink);
  }

  /** The sink with the most specific pattern; null if no pattern matches. */
  @Nullable Sink find(String key) {
    Sink[] found = new Sink[1];
    index.find(
        key,
        sink -> {
          found[0] = sink;
          return true;
        });
    return found[0];
  }

  /** Sends an event to a sink; calls the hook for dropped events if it fails. */
  CompletableFuture<Integer> send(Sink sink, String key, Object payload, EventMeta meta) {
    CompletableFuture<Integer> sent;
    try {
      sent = accepted(sink, key, payload, meta);
    } catch (RuntimeException e) {
      sent = CompletableFuture.failedFuture(e);
    }
    return sent.whenComplete((count, error) -> {
      if (error != null) hooks.onDropped(key, payload, DropReason.SINK);
    });
  }

  private static CompletableFuture<Integer> accepted(
      Sink sink, String key, Object payload, EventMeta meta) {
    return switch (sink) {
      case Sink.AtLeastOnce durable -> durable.emit(key, payload, meta).thenApply(id -> 1);
      case Sink.BestEffort other -> {
        other.emit(key, payload, meta);
        yield CompletableFuture.completedFuture(1);
      }
    };
  }
}
