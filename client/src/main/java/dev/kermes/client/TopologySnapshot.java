package dev.kermes.client;

import java.net.InetSocketAddress;
import java.util.List;

/** What a server says about who serves what. */
record TopologySnapshot(List<Part> parts) {
  /**
   * A master, its replicas and the slots [from, to] that they serve.
   *
   * @param ranges of slots, each two numbers
   */
  record Part(InetSocketAddress master, List<InetSocketAddress> replicas, List<Range> ranges) {}

  /** Slots from {@code from} to {@code to}, both inclusive. */
  record Range(int from, int to) {}

  /** A master of everything. */
  static TopologySnapshot of(InetSocketAddress master, List<InetSocketAddress> replicas) {
    return new TopologySnapshot(List.of(new Part(master, replicas, List.of(new Range(0, Slots.COUNT - 1)))));
  }
}
