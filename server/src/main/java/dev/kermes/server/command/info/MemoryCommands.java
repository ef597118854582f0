package dev.kermes.server.command.info;

import dev.kermes.resp.RespWriter;
import dev.kermes.server.command.Call;
import dev.kermes.server.command.Help;
import dev.kermes.server.keyspace.Database;
import dev.kermes.server.keyspace.MemoryAccount;
import dev.kermes.server.script.Scripting;
import java.util.List;

/** MEMORY: facts about the use of memory. */
public final class MemoryCommands {

  private MemoryCommands() {}

  /** MEMORY USAGE key [SAMPLES n]: replies the approximate bytes of a key; nil if absent. */
  public static void memoryUsage(Call call) {
    boolean hasSamples = call.argc() == 5 && call.is(3, "SAMPLES");
    if (call.argc() != 3 && !hasSamples) {
      call.syntaxError();
      return;
    }
    long samples = hasSamples ? call.integer(4) : 5;
    if (!call.failed() && samples < 0) call.syntaxError();
    if (call.failed()) return;
    Object slot = call.database().lookup(call.slice(2));
    if (slot == null) call.reply().nil();
    else call.reply().integer(MemoryUsage.of(slot));
  }

  /** MEMORY STATS: replies the composition of the used memory, in bytes. */
  public static void memoryStats(Call call) {
    List<Database> databases =
        call.engine().keyspace().databases().stream()
            .filter(database -> database.size() > 0)
            .toList();
    MemoryFacts facts = MemoryFacts.of(call.engine());
    Scripting scripting = call.engine().scripting();
    long keys = databases.stream().mapToLong(Database::size).sum();
    RespWriter reply = call.reply();
    reply.map(35 + databases.size());
    entry(reply, "peak.allocated", facts.peak());
    entry(reply, "total.allocated", facts.used());
    entry(reply, "startup.allocated", 0);
    entry(reply, "replication.backlog", facts.backlog());
    entry(reply, "replica.fullsync.buffer", 0);
    entry(reply, "clients.slaves", facts.forReplicas());
    entry(reply, "clients.normal", call.engine().keyspace().memory().clientBytes());
    entry(reply, "cluster.links", 0);
    entry(reply, "aof.buffer", facts.aofBuffer());
    entry(reply, "lua.caches", scripting.scripts().bytes());
    entry(reply, "functions.caches", scripting.libraries().bytes());
    entry(reply, "script.VMs", scripting.scriptMachineBytes() + scripting.functionMachineBytes());
    for (Database database : databases) {
      reply.bulk("db." + database.index());
      reply.map(2);
      entry(reply, "overhead.hashtable.main", database.keys().tableBytes());
      entry(reply, "overhead.hashtable.expires", database.expiry().keyTableBytes());
    }
    entry(reply, "overhead.db.hashtable.lut", 0);
    entry(reply, "overhead.db.hashtable.rehashing", 0);
    entry(reply, "overhead.total", facts.used() - facts.data());
    entry(reply, "db.dict.rehashing.count", 0);
    entry(reply, "keys.count", keys);
    entry(reply, "keys.bytes-per-key", keys == 0 ? 0 : facts.data() / keys);
    entry(reply, "dataset.bytes", facts.data());
    entry(reply, "dataset.percentage", facts.dataPercent());
    entry(reply, "peak.percentage", facts.peakPercent());
    replyHeap(reply, facts);
  }

  /** Replies facts about the heap under Redis's names for its allocator, and under our own. */
  private static void replyHeap(RespWriter reply, MemoryFacts facts) {
    entry(reply, "allocator.allocated", facts.heapAllocated());
    entry(reply, "allocator.active", facts.heapUsed());
    entry(reply, "allocator.resident", facts.heapCommitted());
    entry(reply, "allocator.muzzy", 0);
    entry(reply, "allocator-fragmentation.ratio", facts.betweenRatio());
    entry(reply, "allocator-fragmentation.bytes", facts.between());
    entry(reply, "allocator-rss.ratio", facts.heapOverhead());
    entry(reply, "allocator-rss.bytes", facts.heapCommitted() - facts.heapUsed());
    entry(reply, "rss-overhead.ratio", facts.residentOverhead());
    entry(reply, "rss-overhead.bytes", facts.resident() - facts.heapCommitted());
    entry(reply, "fragmentation", facts.fragmentation());
    entry(reply, "fragmentation.bytes", facts.resident() - facts.used());
    entry(reply, "heap.used", facts.heapUsed());
    entry(reply, "heap.max", Runtime.getRuntime().maxMemory());
  }

  private static void entry(RespWriter reply, String name, double value) {
    reply.bulk(name);
    reply.decimal(value);
  }

  private static void entry(RespWriter reply, String name, long bytes) {
    reply.bulk(name);
    reply.integer(bytes);
  }

  /** MEMORY DOCTOR: replies problems in the use of memory, in words. */
  public static void memoryDoctor(Call call) {
    MemoryAccount memory = call.engine().keyspace().memory();
    long limit = call.engine().settings().memoryOptions().max.value();
    String advice = "Nothing is wrong with the use of memory.";
    if (memory.isHeapFull()) {
      advice = "The data fill the heap, and no more are taken: give the JVM more with -Xmx.";
    } else if (limit > memory.heapLimit()) {
      advice = "maxmemory is more than the heap can hold: give the JVM more with -Xmx.";
    }
    call.reply().verbatim("txt", advice);
  }

  /** MEMORY MALLOC-STATS: replies that there is no separate allocator to report on. */
  public static void memoryMallocStats(Call call) {
    call.reply().verbatim("txt", "Stats not supported for the current allocator");
  }

  /** MEMORY PURGE: requests a garbage collection of the JVM. */
  public static void memoryPurge(Call call) {
    System.gc();
    call.reply().ok();
  }

  /** MEMORY HELP: the subcommands. */
  public static void memoryHelp(Call call) {
    Help.reply(call);
  }
}
