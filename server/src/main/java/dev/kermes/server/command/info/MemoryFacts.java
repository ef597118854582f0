package dev.kermes.server.command.info;

import dev.kermes.server.aof.AofWriter;
import dev.kermes.server.engine.Engine;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.Keyspace;
import dev.kermes.server.replication.Replicas;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The facts about memory in INFO and MEMORY STATS, under Redis's names. Facts that Redis has about
 * its allocator here concern the JVM's heap: active means in use, including dead objects, allocated
 * is without the memory between records, and resident means taken from the machine.
 *
 * @param used the account of clients' data and of the memory to serve them
 * @param data the keys and values in that account
 * @param peak the highest value of {@code used}
 * @param heapUsed bytes of objects in the heap, including dead objects that are not collected yet
 * @param heapCommitted bytes that the heap has taken from the machine
 * @param between bytes between the records of the keyspace, which wait for new ones
 * @param resident bytes of the process in the machine's memory
 * @param aofBuffer bytes that wait to be written to the append only file
 * @param backlog bytes of the replication stream kept for replicas that reconnect
 * @param forReplicas bytes of the stream kept beyond the backlog, for replicas that are behind
 */
record MemoryFacts(
    long used,
    long data,
    long peak,
    long heapUsed,
    long heapCommitted,
    long between,
    long resident,
    long aofBuffer,
    long backlog,
    long forReplicas) {

  private static final Path STATUS = Path.of("/proc/self/status");

  static MemoryFacts of(Engine engine) {
    Runtime runtime = Runtime.getRuntime();
    long committed = runtime.totalMemory();
    AofWriter writer = engine.appendOnly().writer();
    Replicas replicas = engine.replication().replicas();
    long stream = replicas.bufferBytes();
    long backlogMax = engine.replication().options().backlogBytes.value();
    long beyond = replicas.all().isEmpty() ? 0 : Math.max(0, stream - backlogMax);
    return new MemoryFacts(
        engine.keyspace().memory().usedBytes(),
        engine.keyspace().memory().dataBytes(),
        engine.keyspace().memory().peakBytes(),
        committed - runtime.freeMemory(),
        committed,
        between(engine.keyspace()),
        resident(committed),
        writer == null ? 0 : writer.pending(),
        stream - beyond,
        beyond);
  }

  private static long between(Keyspace keyspace) {
    long bytes = 0;
    for (Database database : keyspace.databases()) bytes += database.keys().unusedBytes();
    return bytes;
  }

  /** The process's memory; on systems other than Linux what the heap has taken. */
  private static long resident(long committed) {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(committed);
    } catch (IOException | UncheckedIOException e) {
      return committed;
    }
  }

  /** The machine's memory; 0 if this JVM does not report it. */
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

  /** The bytes in use in the heap without those between records. */
  long heapAllocated() {
    return heapUsed - between;
  }

  /** The ratio of the process's memory to the account. */
  double fragmentation() {
    return ratio(resident, used);
  }

  /** The ratio of the heap's memory in use to the same without the bytes between records. */
  double betweenRatio() {
    return ratio(heapUsed, heapAllocated());
  }

  /** The ratio of the process's memory to the heap's. */
  double residentOverhead() {
    return ratio(resident, heapCommitted);
  }

  /** The ratio of the heap's memory to the objects in it. */
  double heapOverhead() {
    return ratio(heapCommitted, heapUsed);
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
