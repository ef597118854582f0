package dev.kermes.client.internal.routing;

import dev.kermes.client.ReadFrom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A master and its replicas. Immutable except for the rotation of readers. Any thread. */
final class Shard {
  private final Node master;
  private final List<Node> replicas;
  private final AtomicInteger turn = new AtomicInteger();

  Shard(Node master, List<Node> replicas) {
    this.master = master;
    this.replicas = List.copyOf(replicas);
  }

  Node master() {
    return master;
  }

  List<Node> replicas() {
    return replicas;
  }

  /** Chooses the server for a command that only reads. */
  Node reader(ReadFrom readFrom) {
    int count = replicas.size();
    if (readFrom == ReadFrom.MASTER || count == 0) return master;
    int indexes = readFrom == ReadFrom.ANY ? count + 1 : count;
    int start = Math.floorMod(turn.getAndIncrement(), indexes);
    for (int i = 0; i < indexes; i++) {
      int index = (start + i) % indexes;
      Node node = index == count ? master : replicas.get(index);
      if (node.isReady()) return node;
    }
    return master;
  }
}
