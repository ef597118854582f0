package dev.kermes.server.execution;

import dev.kermes.server.cluster.ClusterNode;
import dev.kermes.server.command.Call;
import dev.kermes.server.config.FlagOption;
import dev.kermes.server.engine.Engine;

/**
 * Counts what each command costs the hash slot of its keys, for CLUSTER SLOT-STATS; by default it
 * counts nothing. Guarded by the keyspace lock.
 */
final class SlotCounting {

  private final Engine engine;
  private final CommandGuard guard;
  private final FlagOption isWanted;

  // The command that runs

  private int slot = -1;
  private long start;
  private long bytesIn;
  private int outputBefore;

  SlotCounting(Engine engine, CommandGuard guard) {
    this.engine = engine;
    this.guard = guard;
    isWanted = engine.settings().clusterOptions().countsSlotUsage;
  }

  /** Notes that a command, which the guard has checked last, is about to run. */
  void begin(Call call, int outputSize) {
    slot = engine.cluster() == null || !isWanted.isOn() ? -1 : guard.slot();
    if (slot < 0) return;
    bytesIn = bytes(call);
    outputBefore = outputSize;
    start = engine.keyspace().clock().nanos();
  }

  /** The size of a command as clients send it. */
  private static long bytes(Call call) {
    long bytes = lineBytes(call.argc());
    for (int i = 0; i < call.argc(); i++) bytes += lineBytes(call.length(i)) + call.length(i) + 2;
    return bytes;
  }

  /** The size of the line before an array or a string. */
  private static int lineBytes(int length) {
    return 1 + Integer.toString(length).length() + 2;
  }

  /** Counts the command that has run. */
  void end(int outputSize) {
    ClusterNode node = engine.cluster();
    if (node == null || slot < 0) return;
    long nanos = engine.keyspace().clock().nanos() - start;
    node.usage().add(slot, nanos, bytesIn, outputSize - outputBefore);
    slot = -1;
  }
}
