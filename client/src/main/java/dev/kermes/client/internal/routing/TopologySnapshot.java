package dev.kermes.client.internal.routing;

import dev.kermes.commands.HashSlots;
import java.net.InetSocketAddress;
import java.util.List;

/** The topology as reported by one server. */
record TopologySnapshot(List<Part> parts) {
  /**
   * A master, its replicas and the slots [from, to] that they serve.
   *
   * @param ranges the ranges of slots
   */
  record Part(InetSocketAddress master, List<InetSocketAddress> replicas, List<Range> ranges) {}

  /** Slots from {@code from} to {@code to}, both inclusive. */
  record Range(int from, int to) {}

  /** A snapshot of one master that serves all slots. */
  static TopologySnapshot of(InetSocketAddress master, List<InetSocketAddress> replicas) {
    return new TopologySnapshot(
        List.of(new Part(master, replicas, List.of(new Range(0, HashSlots.COUNT - 1)))));
  }
}
