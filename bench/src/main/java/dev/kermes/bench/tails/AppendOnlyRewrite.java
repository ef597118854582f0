package dev.kermes.bench.tails;

import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;

/** A rewrite of the append only file. */
final class AppendOnlyRewrite implements Disturbance {

  @Override
  public void prepare(RunningServer server, boolean isQuick)
      throws IOException, InterruptedException {
    server.turnOnAppendOnly();
  }

  @Override
  public void disturb(RunningServer server) throws IOException, InterruptedException {
    server.rewriteAppendOnly();
  }

  @Override
  public void end(RunningServer server) throws IOException {
    server.tell("CONFIG", "SET", "appendonly", "no");
  }
}
