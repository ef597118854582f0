package dev.kermes.reactor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** A call of a handler in Flight Recorder. */
@Name("dev.kermes.reactor.Handler")
@Label("Handler")
@Category({"Kermes", "Reactor"})
@Description("A call of a handler")
@Threshold("10 ms")
@StackTrace(false)
final class HandlerRun extends jdk.jfr.Event {

  @Label("Handler")
  @Nullable String handler;

  @Label("Key")
  @Nullable String key;

  @Label("Attempt")
  int attempt;

  @Label("Error")
  @Nullable String error;

  /** Begins the event of a call; the result ends it, and commits it if it is recorded. */
  static ReactorObserver.Observation start(Registration registration, Event<?> event) {
    HandlerRun run = new HandlerRun();
    run.begin();
    return failure -> run.end(registration, event, failure);
  }

  private void end(Registration registration, Event<?> event, @Nullable Throwable failure) {
    end();
    if (!shouldCommit()) return;
    handler = registration.name();
    key = event.key();
    attempt = event.meta().attempt();
    error = failure == null ? null : failure.toString();
    commit();
  }
}
