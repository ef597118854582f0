package dev.kermes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback address. */
public final class Ports {

  /** The highest port of a server whose cluster bus has a valid port, too. */
  private static final int CLUSTER_MAX = 55_000;

  private Ports() {}

  /** A port that nothing listens on. */
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A free port for a member of a cluster, whose bus uses the port that is higher by 10,000. */
  public static int freeForCluster() {
    int port = free();
    while (port > CLUSTER_MAX) port = free();
    return port;
  }
}
