package dev.kermes.client.micrometer;

import dev.kermes.client.CommandObserver;
import io.micrometer.observation.ObservationRegistry;

/**
 * An observation {@value #NAME} per command, which Micrometer Tracing makes a span of and whatever
 * handlers there are may count; its parent is the observation that is current where the command is
 * sent. Keys and values are never in it. Any thread.
 */
public final class CommandTraces implements CommandObserver {
  /** What the observations are called. */
  public static final String NAME = "kermes.client.command";

  private final ObservationRegistry registry;

  /** Observations in {@code registry}. */
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
