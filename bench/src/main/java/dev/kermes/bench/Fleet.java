package dev.kermes.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** All peers of a benchmark, running side by side until it ends. */
final class Fleet implements AutoCloseable {

  private final List<RunningServer> servers = new ArrayList<>();

  static Fleet start(Peers peers, Progress progress) throws IOException, InterruptedException {
    if (peers.present().isEmpty()) throw new BenchmarkException("no peer to measure");
    Fleet fleet = new Fleet();
    try {
      for (Peer peer : peers.present()) {
        progress.show("starting " + peer.name());
        fleet.servers.add(RunningServer.start(peer));
      }
      return fleet;
    } catch (IOException | InterruptedException | RuntimeException e) {
      fleet.close();
      throw e;
    }
  }

  List<RunningServer> servers() {
    return servers;
  }

  @Override
  public void close() {
    for (RunningServer server : servers) server.close();
  }
}
