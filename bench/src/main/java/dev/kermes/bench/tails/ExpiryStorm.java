package dev.kermes.bench.tails;

import dev.kermes.bench.expiry.ExpiringLoad;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import java.time.Duration;

/** A million keys that expire at one moment. */
final class ExpiryStorm implements Disturbance {

  private static final int KEYS = 1_000_000;

  /** How long before that moment the load begins. */
  private static final Duration AHEAD = Duration.ofMillis(1500);

  private String sizeBefore = "";

  @Override
  public void prepare(RunningServer server, boolean isQuick)
      throws IOException, InterruptedException {
    sizeBefore = server.ask("DBSIZE");
    long due = ExpiringLoad.fill(server, isQuick ? KEYS / 100 : KEYS, AHEAD);
    Thread.sleep(Math.max(0, due - AHEAD.toMillis() - System.currentTimeMillis()));
  }

  @Override
  public void disturb(RunningServer server) throws IOException, InterruptedException {
    while (!server.ask("DBSIZE").equals(sizeBefore)) Thread.sleep(5);
  }
}
