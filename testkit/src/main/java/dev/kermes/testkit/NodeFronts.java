package dev.kermes.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxies in front of the nodes of a deployment, which share faults and the log of commands.
 * They stay when new nodes take the place of the old ones. Used by one thread at a time.
 */
final class NodeFronts implements AutoCloseable {

  private static final int KEYS_SHOWN = 50;

  private final Faults faults;
  private final CommandLog log = new CommandLog();
  private final FrontTls tls;
  private final List<Proxy> proxies = new ArrayList<>();

  NodeFronts(long seed, FrontTls tls) {
    faults = new Faults(seed);
    this.tls = tls;
  }

  Faults faults() {
    return faults;
  }

  CommandLog log() {
    return log;
  }

  /**
   * The proxy at a port, which leads nowhere until its node has been started; 0 opens one at a free
   * port.
   */
  Proxy at(int port) {
    for (Proxy each : proxies) if (each.port() == port) return each;
    try {
      Proxy opened = new Proxy(port, faults, log, tls);
      proxies.add(opened);
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen: port=" + port, e);
    }
  }

  /**
   * The commands and the keys of a deployment; lines of text.
   *
   * @param fronts null if clients do not pass through proxies, so that no commands are known
   */
  static List<String> report(@Nullable NodeFronts fronts, List<NodeProcess> masters) {
    List<String> lines = new ArrayList<>();
    if (fronts == null) lines.add("commands: not known without builder().withFaults()");
    else lines.addAll(fronts.log().lines());
    for (NodeProcess each : masters) {
      lines.add("at port " + each.port());
      lines.addAll(keys(each));
    }
    return lines;
  }

  private static List<String> keys(NodeProcess master) {
    try (ControlConnection connection = master.connect()) {
      return ServerState.describeKeys(connection, KEYS_SHOWN);
    } catch (IOException e) {
      return List.of("keys: the server cannot list them: " + e.getMessage());
    }
  }

  /** Closes all proxies; returns when their threads are gone. */
  @Override
  public void close() {
    faults.clear();
    try {
      for (Proxy each : proxies) each.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
