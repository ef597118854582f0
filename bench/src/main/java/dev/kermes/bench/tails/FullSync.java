package dev.kermes.bench.tails;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A replica of the same program on the same machine, which receives all data. */
final class FullSync implements Disturbance {

  private @Nullable RunningServer replica;

  @Override
  public void prepare(RunningServer server, boolean isQuick)
      throws IOException, InterruptedException {
    if (server.peer().address() != null) {
      throw new BenchmarkException("a replica of a guest cannot be started: omit this case");
    }
    server.tell("CONFIG", "SET", "repl-diskless-sync-delay", "0");
    replica = RunningServer.start(server.peer());
  }

  @Override
  public void disturb(RunningServer server) throws IOException, InterruptedException {
    RunningServer replica = this.replica;
    if (replica == null) throw new AssertionError("not prepared");
    String host = server.address().getAddress().getHostAddress();
    replica.tell("REPLICAOF", host, Integer.toString(server.address().getPort()));
    while (!replica.ask("INFO", "replication").contains("master_link_status:up")) {
      Thread.sleep(20);
    }
  }

  @Override
  public void end(RunningServer server) {
    if (replica != null) replica.close();
    replica = null;
  }
}
