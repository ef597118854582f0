package dev.kermes.bench.peers;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All servers of a benchmark, running side by side until it ends. */
public final class RunningServers implements AutoCloseable {

  private final List<RunningServer> servers = new ArrayList<>();

  public static RunningServers start(Peers peers, Progress progress)
      throws IOException, InterruptedException {
    return start(peers, progress, RunningServer::start);
  }

  /** Starts the servers, each with a folder of its own in {@code folder}. */
  public static RunningServers start(Peers peers, Progress progress, Path folder)
      throws IOException, InterruptedException {
    return start(
        peers,
        progress,
        peer ->
            RunningServer.start(peer, Files.createDirectories(folder.resolve(peer.fileName()))));
  }

  private interface Starter {
    RunningServer start(Peer peer) throws IOException, InterruptedException;
  }

  private static RunningServers start(Peers peers, Progress progress, Starter starter)
      throws IOException, InterruptedException {
    if (peers.present().isEmpty()) throw new BenchmarkException("no peer to measure");
    RunningServers running = new RunningServers();
    try {
      for (Peer peer : peers.present()) {
        progress.show("starting " + peer.name());
        running.servers.add(starter.start(peer));
      }
      return running;
    } catch (IOException | InterruptedException | RuntimeException e) {
      running.close();
      throw e;
    }
  }

  public List<RunningServer> servers() {
    return servers;
  }

  @Override
  public void close() {
    for (RunningServer server : servers) server.close();
  }
}
