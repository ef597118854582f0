package dev.kermes.reactor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** An event that reached no handler, in Flight Recorder. */
@Name("dev.kermes.reactor.Dropped")
@Label("Dropped")
@Category({"Kermes", "Reactor"})
@Description("An event did not reach a handler")
final class EventDropped extends jdk.jfr.Event {

  @Label("Key")
  @Nullable String key;

  @Label("Reason")
  @Nullable String reason;

  static void record(String key, DropReason reason) {
    EventDropped recorded = new EventDropped();
    if (!recorded.isEnabled()) return;
    recorded.key = key;
    recorded.reason = reason.name();
    recorded.commit();
  }
}
