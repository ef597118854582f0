package dev.kermes.client.internal.routing;

import dev.kermes.commands.HashSlots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The known assignment of slots to shards. The event loop replaces it after a refresh, and corrects
 * single slots when a server reports that they have moved. Any thread reads.
 */
final class Topology {
  /** The topology before anything is known. */
  static final Topology NONE = new Topology(List.of());

  private final List<Shard> shards;
  private final AtomicReferenceArray<@Nullable Shard> bySlot;

  Topology(List<Shard> shards) {
    this.shards = List.copyOf(shards);
    this.bySlot = new AtomicReferenceArray<>(shards.isEmpty() ? 0 : HashSlots.COUNT);
  }

  /** A topology of one shard that serves all slots. */
  static Topology of(Shard shard) {
    Topology topology = new Topology(List.of(shard));
    topology.assign(0, HashSlots.COUNT - 1, shard);
    return topology;
  }

  /** Assigns slots [from, to] to {@code shard}. */
  void assign(int from, int to, Shard shard) {
    for (int slot = from; slot <= to; slot++) bySlot.set(slot, shard);
  }

  boolean isKnown() {
    return !shards.isEmpty();
  }

  List<Shard> shards() {
    return shards;
  }

  /** The shard of a slot, a random one if the slot is negative, or null if none is known. */
  @Nullable Shard shard(int slot) {
    if (shards.isEmpty()) return null;
    if (slot >= 0) return bySlot.get(slot);
    return shards.get(ThreadLocalRandom.current().nextInt(shards.size()));
  }

  /** The shard whose master {@code node} is, or null. */
  @Nullable Shard shardOfMaster(Node node) {
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

  /** All masters and replicas. */
  Set<Node> nodes() {
    Set<Node> nodes = new HashSet<>(masters());
    for (Shard shard : shards) nodes.addAll(shard.replicas());
    return nodes;
  }
}
