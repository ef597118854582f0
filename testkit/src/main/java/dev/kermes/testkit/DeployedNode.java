package dev.kermes.testkit;

import dev.kermes.server.node.ServerNode;
import java.net.InetSocketAddress;

/** A server or a sentinel of a {@link KermesCluster} or a {@link KermesSentinel}. Any thread. */
public abstract sealed class DeployedNode permits KermesCluster.Node, KermesSentinel.Node {

  private final ServerNode state;
  private final NodeProcess process;

  DeployedNode(ServerNode state, NodeProcess process) {
    this.state = state;
    this.process = process;
  }

  ServerNode state() {
    return state;
  }

  NodeProcess process() {
    return process;
  }

  /** The address for clients. */
  public String host() {
    return state.host();
  }

  /** The port for clients. */
  public int port() {
    return process.port();
  }

  /** Its host and port; unresolved, as the options of clients take it. */
  public InetSocketAddress address() {
    return InetSocketAddress.createUnresolved(host(), port());
  }

  /** The URL for a client of this node alone: {@code redis://127.0.0.1:port}, or {@code rediss}. */
  public String url() {
    return process.scheme() + "://" + host() + ":" + port();
  }

  /** Whether it is a master, or was one when it was lost and has not been replaced. */
  public abstract boolean isMaster();

  /** Whether it has been killed or frozen. */
  public abstract boolean isFailed();

  /** Whether a test keeps it behind its master. */
  public boolean isLagging() {
    return process.isLagging();
  }

  /** The role, and the address for clients. */
  @Override
  public String toString() {
    return role() + " " + host() + ":" + port();
  }

  /** The role in reports. */
  String role() {
    return isMaster() ? "master" : "replica";
  }
}
