package dev.kermes.client.internal.routing;

import dev.kermes.client.internal.command.EncodedCommand;

/** A channel or a pattern, each kind with its own namespace; or the output of MONITOR. */
public record Topic(Kind kind, String name) {
  /** The kind of a topic, with the commands that start and end listening. */
  public enum Kind {
    CHANNEL("SUBSCRIBE", "UNSUBSCRIBE"),
    PATTERN("PSUBSCRIBE", "PUNSUBSCRIBE"),
    SHARD("SSUBSCRIBE", "SUNSUBSCRIBE"),
    /** All commands of a server; ends with its connection. */
    MONITOR("MONITOR", "");

    private final String subscribe;
    private final String unsubscribe;

    Kind(String subscribe, String unsubscribe) {
      this.subscribe = subscribe;
      this.unsubscribe = unsubscribe;
    }
  }

  public EncodedCommand<?> subscribe() {
    return kind == Kind.MONITOR
        ? EncodedCommand.of("MONITOR")
        : EncodedCommand.of(kind.subscribe, name);
  }

  public EncodedCommand<?> unsubscribe() {
    return EncodedCommand.of(kind.unsubscribe, name);
  }
}
