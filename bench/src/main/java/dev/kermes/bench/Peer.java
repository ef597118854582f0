package dev.kermes.bench;

import java.net.InetSocketAddress;
import java.util.ArrayList;
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

  /** Its name as that of a file. */
  String fileName() {
    return name.replaceAll("[^A-Za-z0-9.-]", "-");
  }

  /** The same with further options, where it is started. */
  Peer with(String... options) {
    if (address != null) return this;
    List<String> longer = new ArrayList<>(command);
    longer.addAll(List.of(options));
    return new Peer(name, longer, null);
  }
}
