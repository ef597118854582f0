package dev.kermes.client.internal.routing;

import dev.kermes.client.RedisOptions;
import dev.kermes.client.internal.connection.Connector;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The nodes of a client, one per address, opened on first use. A node that serves no slot any more
 * is closed when no command is under way on it. Owned by the event loop, except for {@link #all}.
 */
final class ClusterNodes {
  private static final long RETIRED_CHECK_MILLIS = 100;

  private final RedisOptions options;
  private final Connector connector;
  private final EventLoop loop;
  private final Node.Owner owner;
  private final Map<SocketAddress, Node> nodes = new ConcurrentHashMap<>();

  /** Nodes that serve no slot any more and still have commands under way. */
  private final Set<Node> retired = new HashSet<>();

  private boolean isClosed;

  ClusterNodes(RedisOptions options, Connector connector, Node.Owner owner) {
    this.options = options;
    this.connector = connector;
    this.loop = connector.loop();
    this.owner = owner;
  }

  /** All nodes that are connected or connecting. Any thread. */
  Collection<Node> all() {
    return nodes.values();
  }

  /** Returns the node at an address, creating it if needed. */
  Node at(SocketAddress address) {
    return nodes.computeIfAbsent(address, this::open);
  }

  /** Commands that the node cannot take are sent elsewhere, so they do not queue for it. */
  private Node open(SocketAddress address) {
    RedisOptions own = options.toBuilder(address).queuesWhileDisconnected(false).build();
    Node node = new Node(own, connector.to(own), owner);
    if (isClosed) node.close();
    else node.open();
    return node;
  }

  /** Retires every node that is not among {@code wanted}. */
  void dropAllBut(Set<Node> wanted) {
    boolean isFirst = retired.isEmpty();
    for (Node node : new HashSet<>(nodes.values())) {
      if (wanted.contains(node)) continue;
      nodes.remove(node.address());
      retired.add(node);
    }
    if (isFirst) closeRetired();
  }

  private void closeRetired() {
    retired.removeIf(Node::closeIfIdle);
    if (retired.isEmpty()) return;
    loop.schedule(this::closeRetired, RETIRED_CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Closes all nodes, and each that is asked for later. */
  void close() {
    isClosed = true;
    for (Node node : nodes.values()) node.close();
    for (Node node : retired) node.close();
  }
}
