package dev.kermes.bench.tails;

import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;

/** Work for a server beside its load. A quick benchmark does a hundredth of it. */
interface Disturbance {

  Disturbance NONE = server -> {};

  Disturbance BGSAVE =
      server -> {
        long before = server.saves();
        server.tell("BGSAVE");
        while (server.saves() == before) Thread.sleep(5);
      };

  /** Prepares the server before the load begins. */
  default void prepare(RunningServer server, boolean isQuick)
      throws IOException, InterruptedException {}

  /** Does the work, during the load; returns when the server has finished it. */
  void disturb(RunningServer server) throws IOException, InterruptedException;

  /** Restores the server's settings after the load. */
  default void end(RunningServer server) throws IOException, InterruptedException {}
}
