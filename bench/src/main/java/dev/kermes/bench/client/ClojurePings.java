package dev.kermes.bench.client;

import java.util.Map;
import java.util.Objects;

/** A client written in Clojure: a map of its functions {@code round} and {@code close}. */
public final class ClojurePings implements PingClient {

  private final Runnable round;
  private final Runnable close;

  public ClojurePings(Map<?, ?> client) {
    round = function(client, "round");
    close = function(client, "close");
  }

  private static Runnable function(Map<?, ?> client, String name) {
    return (Runnable) Objects.requireNonNull(client.get(name));
  }

  @Override
  public void round() {
    round.run();
  }

  @Override
  public void close() {
    close.run();
  }
}
