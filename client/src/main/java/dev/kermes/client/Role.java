package dev.kermes.client;

import java.util.List;

/** What a server is to other servers, as ROLE tells. */
public sealed interface Role {
  /**
   * A master, or a server that is alone.
   *
   * @param offset how many bytes of its replication stream there are
   */
  record Master(long offset, List<ConnectedReplica> replicas) implements Role {}

  /**
   * A replica.
   *
   * @param state of the link: connect, connecting, sync, connected, handshake or none
   * @param offset how many bytes of its master's stream it has; -1 before it is connected
   */
  record Replica(String masterHost, long masterPort, String state, long offset) implements Role {}

  /**
   * A sentinel.
   *
   * @param masters the names of those it watches
   */
  record Sentinel(List<String> masters) implements Role {}

  /**
   * A replica as its master sees it.
   *
   * @param offset how many bytes it has acknowledged
   */
  record ConnectedReplica(String host, long port, long offset) {}
}
