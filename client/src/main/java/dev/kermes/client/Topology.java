package dev.kermes.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which shard serves which slot, as far as it is known. The event loop replaces it when it has
 * asked again, and corrects single slots when a server says that they moved. Any thread reads.
 */
final class Topology {
  /** Nothing is known yet. */
  static final Topology NONE = new Topology(List.of());

  private final List<Shard> shards;
  private final AtomicReferenceArray<@Nullable Shard> bySlot;

  Topology(List<Shard> shards) {
    this.shards = List.copyOf(shards);
    this.bySlot = new AtomicReferenceArray<>(shards.isEmpty() ? 0 : Slots.COUNT);
  }

  /** One shard for everything. */
  static Topology of(Shard shard) {
    Topology topology = new Topology(List.of(shard));
    topology.assign(0, Slots.COUNT - 1, shard);
    return topology;
  }

  /** Slots [from, to] belong to {@code shard}. */
  void assign(int from, int to, Shard shard) {
    for (int slot = from; slot <= to; slot++) bySlot.set(slot, shard);
  }

  boolean isKnown() {
    return !shards.isEmpty();
  }

  List<Shard> shards() {
    return shards;
  }

  /** The shard of a slot, any of them for a command without keys, null where none is known. */
  @Nullable Shard shard(int slot) {
    if (shards.isEmpty()) return null;
    if (slot >= 0) return bySlot.get(slot);
    return shards.get(ThreadLocalRandom.current().nextInt(shards.size()));
  }

  /** The shard whose master {@code node} is, or null. */
  @Nullable Shard ledBy(Node node) {
    for (Shard shard : shards) {
      if (shard.master() == node) return shard;
    }
    return null;
  }

  List<Node> masters() {
    List<Node> masters = new ArrayList<>();
    for (Shard shard : shards) masters.add(shard.master());
    return masters;
  }

  /** Masters and replicas. */
  Set<Node> nodes() {
    Set<Node> nodes = new HashSet<>(masters());
    for (Shard shard : shards) nodes.addAll(shard.replicas());
    return nodes;
  }
}
