package dev.kermes.client.micrometer;

import dev.kermes.client.CommandObserver;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.ObservationRegistry;

/**
 * An observation {@value #NAME} per command, with the attributes of {@link CommandTimers}.
 * Micrometer Tracing turns it into a span with the command as its name, and other handlers may
 * count it. Its parent is the current observation of the sending thread. It never contains keys or
 * values. Any thread.
 */
public final class CommandTraces implements CommandObserver {
  /** The name of the observations. */
  public static final String NAME = Attributes.DURATION;

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
            .lowCardinalityKeyValues(KeyValues.of(Attributes.ofOperation(command)))
            .start();
    return (node, failure) -> {
      span.lowCardinalityKeyValues(KeyValues.of(Attributes.ofEnd(node, failure)));
      if (failure != null) span.error(failure);
      span.stop();
    };
  }
}
