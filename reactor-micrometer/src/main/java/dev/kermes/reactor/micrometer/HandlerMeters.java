package dev.kermes.reactor.micrometer;

import dev.kermes.reactor.DropReason;
import dev.kermes.reactor.Event;
import dev.kermes.reactor.ReactorObserver;
import dev.kermes.reactor.Registration;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a reactor's handlers:
 *
 * <pre>
 *   kermes.reactor.handler   timer     handler, outcome   a call, retries included
 *   kermes.reactor.retries   counter   handler            waits before another call
 *   kermes.reactor.pending   gauge     handler            events that wait or are being handled
 *   kermes.reactor.dropped   counter   reason             NO_HANDLER, OVERFLOW or SINK
 * </pre>
 *
 * <p>The tag {@code handler} is the handler's name, so several of one name share meters; {@code
 * outcome} is {@code ok} or the class of the exception. Any thread.
 */
public final class HandlerMeters implements ReactorObserver {

  /** The beginning of the meters' names. */
  public static final String PREFIX = "kermes.reactor.";

  private record Key(String handler, String outcome) {}

  private final MeterRegistry registry;
  private final ConcurrentHashMap<Key, Timer> timers = new ConcurrentHashMap<>();
  private final Set<Registration> known = ConcurrentHashMap.newKeySet();

  /** Registers the meters in {@code registry}. */
  public HandlerMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Observation onStart(Registration handler, Event<?> event) {
    if (!known.contains(handler) && known.add(handler)) registerPending(handler);
    long start = System.nanoTime();
    return failure ->
        timer(handler.name(), failure).record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
  }

  private void registerPending(Registration handler) {
    Gauge.builder(PREFIX + "pending", handler, Registration::pending)
        .tags(Tags.of("handler", handler.name()))
        .register(registry);
  }

  private Timer timer(String handler, @Nullable Throwable failure) {
    String outcome = failure == null ? "ok" : failure.getClass().getSimpleName();
    return timers.computeIfAbsent(new Key(handler, outcome), this::register);
  }

  private Timer register(Key key) {
    return registry.timer(
        PREFIX + "handler", Tags.of("handler", key.handler(), "outcome", key.outcome()));
  }

  @Override
  public void onRetry(Registration handler, Event<?> event, Throwable failure, Duration wait) {
    registry.counter(PREFIX + "retries", Tags.of("handler", handler.name())).increment();
  }

  @Override
  public void onDropped(String key, DropReason reason) {
    registry.counter(PREFIX + "dropped", Tags.of("reason", reason.name())).increment();
  }
}
