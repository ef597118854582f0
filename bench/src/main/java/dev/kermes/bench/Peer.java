package dev.kermes.bench;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server to measure, by the name it has in the tables: either a command that starts it on a port
 * ({@code %PORT%} stands for it), or an address where it already runs.
 */
record Peer(String name, List<String> command, @Nullable InetSocketAddress address) {

  static final String PORT = "%PORT%";

  static Peer started(String name, String... command) {
    return new Peer(name, List.of(command), null);
  }

  static Peer running(String name, InetSocketAddress address) {
    return new Peer(name, List.of(), address);
  }
}
