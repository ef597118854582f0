package dev.kermes.server.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.IntPredicate;

/**
 * The costs of commands by the hash slot of their keys, since the start or the last reset. Guarded
 * by the keyspace lock of one server.
 */
public final class SlotUsage {

  /** The costs of one slot; each command counts whole microseconds, as in INFO commandstats. */
  public record Costs(long micros, long bytesIn, long bytesOut) {
    private static final Costs NONE = new Costs(0, 0, 0);

    private Costs plus(Costs more) {
      return new Costs(micros + more.micros, bytesIn + more.bytesIn, bytesOut + more.bytesOut);
    }
  }

  private final Map<Integer, Costs> bySlot = new HashMap<>();

  /** Of the commands of clients that still wait; those of a client that leaves are forgotten. */
  private final Map<Object, Costs> waiting = new WeakHashMap<>();

  /** Adds the costs of a command. */
  public void add(int slot, long micros, long bytesIn, long bytesOut) {
    var unused = bySlot.merge(slot, new Costs(micros, bytesIn, bytesOut), Costs::plus);
  }

  /** Notes the costs so far of a command that waits, which count at the end of its wait. */
  public void beginWait(Object client, Costs soFar) {
    waiting.put(client, soFar);
  }

  /** The costs of a command up to its wait; none if it began before costs were counted. */
  public Costs endWait(Object client) {
    Costs costs = waiting.remove(client);
    return costs == null ? Costs.NONE : costs;
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
