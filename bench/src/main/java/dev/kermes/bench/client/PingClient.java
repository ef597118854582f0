package dev.kermes.bench.client;

/** A way to send PINGs and hold the PONGs; one round sends all and waits for all. One thread. */
public interface PingClient extends AutoCloseable {

  /** PINGs of a round. */
  int COUNT = 1000;

  void round() throws Exception;

  @Override
  void close();

  /** Checks a reply; called for every one. */
  static void check(Object reply) {
    if (!"PONG".equals(reply)) throw new IllegalStateException("no PONG: " + reply);
  }
}
