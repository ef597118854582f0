package dev.kermes.client;

/** A channel or a pattern, each kind in a name space of its own; or what MONITOR tells. */
record Topic(Kind kind, String name) {
  /** What is listened to. */
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

  Command<?> subscribe() {
    return kind == Kind.MONITOR ? Command.of("MONITOR") : Command.of(kind.subscribe, name);
  }

  Command<?> unsubscribe() {
    return Command.of(kind.unsubscribe, name);
  }
}
