package dev.kermes.client.micrometer;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Formats addresses for tags. */
final class Nodes {
  private Nodes() {}

  /** {@code host:port}, or the path of a unix socket. */
  static String name(SocketAddress node) {
    return node instanceof InetSocketAddress internet
        ? internet.getHostString() + ":" + internet.getPort()
        : node.toString();
  }
}
