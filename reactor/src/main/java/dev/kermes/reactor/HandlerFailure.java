package dev.kermes.reactor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A failure of a handler in Flight Recorder. */
@Name("dev.kermes.reactor.Failure")
@Label("Failure")
@Category({"Kermes", "Reactor"})
@Description("A handler has thrown an exception")
final class HandlerFailure extends jdk.jfr.Event {

  @Label("Handler")
  @Nullable String handler;

  @Label("Key")
  @Nullable String key;

  @Label("Attempt")
  int attempt;

  @Label("Error")
  @Nullable String error;

  /** Whether the handler will be called again. */
  @Label("Retried")
  boolean isRetried;

  static void record(
      Registration registration, Event<?> event, Throwable failure, boolean isRetried) {
    HandlerFailure recorded = new HandlerFailure();
    if (!recorded.isEnabled()) return;
    recorded.handler = registration.name();
    recorded.key = event.key();
    recorded.attempt = event.meta().attempt();
    recorded.error = failure.toString();
    recorded.isRetried = isRetried;
    recorded.commit();
  }
}
