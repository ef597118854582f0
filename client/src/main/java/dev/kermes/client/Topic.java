package dev.kermes.client;

/** A channel or a pattern, each kind with its own namespace; or the output of MONITOR. */
record Topic(Kind kind, String name) {
  /** The kind of a topic, with the commands that start and end listening. */
  enum Kind {
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

  EncodedCommand<?> subscribe() {
    return kind == Kind.MONITOR ? EncodedCommand.of("MONITOR") : EncodedCommand.of(kind.subscribe, name);
  }

  EncodedCommand<?> unsubscribe() {
    return EncodedCommand.of(kind.unsubscribe, name);
  }
}
