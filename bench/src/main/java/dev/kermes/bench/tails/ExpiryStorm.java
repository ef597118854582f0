package dev.kermes.bench.tails;

import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** A million keys that expire at one moment. */
final class ExpiryStorm implements Disturbance {

  private static final int KEYS = 1_000_000;
  private static final int BATCH = 1000;

  /** Time for the keys to be set, in milliseconds. */
  private static final int FILL = 10_000;

  /** How long before that moment the load begins, in milliseconds. */
  private static final int AHEAD = 1500;

  private String sizeBefore = "";

  @Override
  public void prepare(RunningServer server, boolean isQuick)
      throws IOException, InterruptedException {
    int scale = isQuick ? 100 : 1;
    sizeBefore = server.ask("DBSIZE");
    long due = System.currentTimeMillis() + AHEAD + FILL / scale;
    try (Wire wire = new Wire(server.address())) {
      for (int first = 0; first < KEYS / scale; first += BATCH) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = first; i < first + BATCH; i++) {
          List<String> set = List.of("SET", "storm:" + i, "value", "PXAT", Long.toString(due));
          requests.writeBytes(Wire.encode(set));
        }
        Batches.run(wire, requests, BATCH);
      }
    }
    Thread.sleep(Math.max(0, due - AHEAD - System.currentTimeMillis()));
  }

  @Override
  public void disturb(RunningServer server) throws IOException, InterruptedException {
    while (!server.ask("DBSIZE").equals(sizeBefore)) Thread.sleep(5);
  }
}
