package dev.kermes.server.command.info;

import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.replication.Replicas;
import java.lang.management.ManagementFactory;

/**
 * The facts of INFO and MEMORY STATS about the memory, under Redis's names. Where Redis speaks of
 * its allocator, the JVM's heap is meant: what is allocated is in use, dead objects included, and
 * what is resident has been taken from the machine.
 *
 * @param used our own account of what clients have put here and what serves them
 * @param data the part of it that is keys and values
 * @param peak the most that {@code used} has been
 * @param heapUsed bytes of objects in the heap, those that are dead but not yet collected included
 * @param heapCommitted bytes that the heap has of the machine
 * @param aofBuffer bytes that wait to be written to the append only file
 * @param backlog bytes of the replication stream that are kept for replicas that come back
 * @param forReplicas bytes of it that are kept beyond those, for replicas that are behind
 */
record MemoryFacts(
    long used,
    long data,
    long peak,
    long heapUsed,
    long heapCommitted,
    long aofBuffer,
    long backlog,
    long forReplicas) {

  static MemoryFacts of(Engine engine) {
    Runtime runtime = Runtime.getRuntime();
    long committed = runtime.totalMemory();
    AofWriter writer = engine.appendOnly().writer();
    Replicas replicas = engine.replication().replicas();
    long stream = replicas.bufferBytes();
    long backlogMax = engine.replication().options().backlogBytes;
    long beyond = replicas.all().isEmpty() ? 0 : Math.max(0, stream - backlogMax);
    return new MemoryFacts(
        engine.keyspace().memory().usedBytes(),
        engine.keyspace().memory().dataBytes(),
        engine.keyspace().memory().peakBytes(),
        committed - runtime.freeMemory(),
        committed,
        writer == null ? 0 : writer.pending(),
        stream - beyond,
        beyond);
  }

  /** All memory of the machine; 0 if this JVM does not tell. */
  static long machineBytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getTotalMemorySize()
        : 0;
  }

  double peakPercent() {
    return 100 * ratio(used, peak);
  }

  double dataPercent() {
    return 100 * ratio(data, used);
  }

  /** How much of the machine's memory the heap has taken for what is in our account. */
  double fragmentation() {
    return ratio(heapCommitted, used);
  }

  /** How much it has taken for what is in the heap. */
  double heapOverhead() {
    return ratio(heapCommitted, heapUsed);
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
