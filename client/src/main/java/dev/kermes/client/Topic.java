package dev.kermes.client;

/** A channel or a pattern; the three kinds have separate name spaces. */
record Topic(Kind kind, String name) {
  /** What is listened to. */
  enum Kind {
    CHANNEL("SUBSCRIBE", "UNSUBSCRIBE"),
    PATTERN("PSUBSCRIBE", "PUNSUBSCRIBE"),
    SHARD("SSUBSCRIBE", "SUNSUBSCRIBE");

    private final String subscribe;
    private final String unsubscribe;

    Kind(String subscribe, String unsubscribe) {
      this.subscribe = subscribe;
      this.unsubscribe = unsubscribe;
    }
  }

  Command<?> subscribe() {
    return Command.of(kind.subscribe, name);
  }

  Command<?> unsubscribe() {
    return Command.of(kind.unsubscribe, name);
  }
}
