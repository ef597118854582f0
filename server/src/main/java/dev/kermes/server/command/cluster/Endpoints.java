package dev.kermes.server.command.cluster;

import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.config.ClusterOptions;
import org.jspecify.annotations.Nullable;

/** The addresses of nodes in the form that clients get. */
public final class Endpoints {

  private Endpoints() {}

  /** {@code host:port} of a node, as another one tells it in MOVED and ASK. */
  public static String of(ClusterNode viewer, ClusterNode node, ClusterOptions options) {
    String host = host(node, options);
    return (host == null ? "" : host) + ":" + port(viewer, node);
  }

  /** The host of a node by the preferred type; null if clients use the one that they know. */
  static @Nullable String host(ClusterNode node, ClusterOptions options) {
    return switch (options.endpointType.value()) {
      case "hostname" -> node.hostname().isEmpty() ? "?" : node.hostname();
      case "unknown-endpoint" -> null;
      default -> node.ip();
    };
  }

  /** The port of a node: that with TLS if the one asked has no other. */
  static int port(ClusterNode viewer, ClusterNode node) {
    boolean isPlain = viewer.clientPort() > 0 && node.clientPort() > 0;
    return isPlain ? node.clientPort() : node.clientTlsPort();
  }
}
