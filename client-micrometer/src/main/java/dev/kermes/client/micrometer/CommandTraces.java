package dev.kermes.client.micrometer;

import dev.kermes.client.CommandObserver;
import io.micrometer.observation.ObservationRegistry;

/**
 * An observation {@value #NAME} per command. Micrometer Tracing turns it into a span, and other
 * handlers may count it. Its parent is the current observation of the sending thread. It never
 * contains keys or values. Any thread.
 */
public final class CommandTraces implements CommandObserver {
  /** The name of the observations. */
  public static final String NAME = "kermes.client.command";

  private final ObservationRegistry registry;

  /** Creates the observations in {@code registry}. */
  public CommandTraces(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Observation onStart(String command) {
    io.micrometer.observation.Observation span =
        io.micrometer.observation.Observation.createNotStarted(NAME, registry)
            .contextualName(command)
            .lowCardinalityKeyValue("db.system.name", "redis")
            .lowCardinalityKeyValue("db.operation.name", command)
            .start();
    return (node, failure) -> {
      span.lowCardinalityKeyValue("server.address", node == null ? "none" : Nodes.name(node));
      if (failure != null) span.error(failure);
      span.stop();
    };
  }
}
