package dev.kermes.client.reply;

import java.util.List;

/** The replication role of a server, as reported by ROLE. */
public sealed interface Role {
  /**
   * A master, or a standalone server.
   *
   * @param offset the replication offset: the length of its replication stream in bytes
   */
  record Master(long offset, List<ConnectedReplica> replicas) implements Role {}

  /**
   * A replica.
   *
   * @param state of the connection to its master: connect, connecting, sync, connected, handshake
   *     or none
   * @param offset how many bytes of its master's stream it has received; -1 before it is connected
   */
  record Replica(String masterHost, long masterPort, String state, long offset) implements Role {}

  /**
   * A sentinel.
   *
   * @param masters the names of the masters that it monitors
   */
  record Sentinel(List<String> masters) implements Role {}

  /**
   * A replica as its master sees it.
   *
   * @param offset how many bytes it has acknowledged
   */
  record ConnectedReplica(String host, long port, long offset) {}
}
