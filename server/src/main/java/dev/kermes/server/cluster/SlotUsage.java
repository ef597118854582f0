package dev.kermes.server.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The costs of commands by the hash slot of their keys, since the start or the last reset. Guarded
 * by the keyspace lock of one server.
 */
public final class SlotUsage {

  /** The costs of one slot. */
  public record Costs(long nanos, long bytesIn, long bytesOut) {
    private static final Costs NONE = new Costs(0, 0, 0);

    private Costs plus(Costs more) {
      return new Costs(nanos + more.nanos, bytesIn + more.bytesIn, bytesOut + more.bytesOut);
    }
  }

  private final Map<Integer, Costs> bySlot = new HashMap<>();

  /** Adds the costs of a command. */
  public void add(int slot, long nanos, long bytesIn, long bytesOut) {
    var unused = bySlot.merge(slot, new Costs(nanos, bytesIn, bytesOut), Costs::plus);
  }

  /** The costs of a slot. */
  public Costs of(int slot) {
    return bySlot.getOrDefault(slot, Costs.NONE);
  }

  /** Forgets all slots but some. */
  public void retain(IntPredicate kept) {
    boolean unused = bySlot.keySet().removeIf(slot -> !kept.test(slot));
  }
}
