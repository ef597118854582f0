package dev.kermes.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One server.
 *
 * @param process ended at the end; null for a server of others
 */
record EventsServer(String url, @Nullable TortureVictim process) implements EventsServers {

  /** A server of ours in a process of its own. */
  static EventsServer start() throws IOException {
    TortureVictim process =
        TortureVictim.process(Files.createTempDirectory("kermes-torture"), "everysec", 1);
    return new EventsServer("redis://127.0.0.1:" + process.port(), process);
  }

  @Override
  public Set<EventsTorture.Fault> faults() {
    return EnumSet.noneOf(EventsTorture.Fault.class);
  }

  @Override
  public boolean hasReplicas() {
    return false;
  }

  @Override
  public List<String> masters() {
    return List.of(url);
  }

  @Override
  public void run(EventsTorture.Fault fault, Random random) {
    throw new IllegalArgumentException("one server has no such fault: " + fault);
  }

  @Override
  public void close() throws IOException {
    try {
      if (process != null) process.end();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
