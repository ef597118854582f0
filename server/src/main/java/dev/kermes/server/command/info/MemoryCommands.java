package dev.kermes.server.command.info;

import static dev.kermes.server.command.MapEntries.number;

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
    number(reply, "peak.allocated", facts.peak());
    number(reply, "total.allocated", facts.used());
    number(reply, "startup.allocated", 0);
    number(reply, "replication.backlog", facts.backlog());
    number(reply, "replica.fullsync.buffer", 0);
    number(reply, "clients.slaves", facts.forReplicas());
    number(reply, "clients.normal", call.engine().keyspace().memory().clientBytes());
    number(reply, "cluster.links", 0);
    number(reply, "aof.buffer", facts.aofBuffer());
    number(reply, "lua.caches", scripting.scripts().bytes());
    number(reply, "functions.caches", scripting.libraries().bytes());
    number(reply, "script.VMs", scripting.scriptMachineBytes() + scripting.functionMachineBytes());
    for (Database database : databases) {
      reply.bulk("db." + database.index());
      reply.map(2);
      number(reply, "overhead.hashtable.main", database.keys().tableBytes());
      number(reply, "overhead.hashtable.expires", database.expiry().keyTableBytes());
    }
    number(reply, "overhead.db.hashtable.lut", 0);
    number(reply, "overhead.db.hashtable.rehashing", 0);
    number(reply, "overhead.total", facts.used() - facts.data());
    number(reply, "db.dict.rehashing.count", 0);
    number(reply, "keys.count", keys);
    number(reply, "keys.bytes-per-key", keys == 0 ? 0 : facts.data() / keys);
    number(reply, "dataset.bytes", facts.data());
    number(reply, "dataset.percentage", facts.dataPercent());
    number(reply, "peak.percentage", facts.peakPercent());
    replyHeap(reply, facts);
  }

  /** Replies facts about the heap under Redis's names for its allocator, and under our own. */
  private static void replyHeap(RespWriter reply, MemoryFacts facts) {
    number(reply, "allocator.allocated", facts.heapAllocated());
    number(reply, "allocator.active", facts.heapUsed());
    number(reply, "allocator.resident", facts.heapCommitted());
    number(reply, "allocator.muzzy", 0);
    number(reply, "allocator-fragmentation.ratio", facts.betweenRatio());
    number(reply, "allocator-fragmentation.bytes", facts.between());
    number(reply, "allocator-rss.ratio", facts.heapOverhead());
    number(reply, "allocator-rss.bytes", facts.heapCommitted() - facts.heapUsed());
    number(reply, "rss-overhead.ratio", facts.residentOverhead());
    number(reply, "rss-overhead.bytes", facts.resident() - facts.heapCommitted());
    number(reply, "fragmentation", facts.fragmentation());
    number(reply, "fragmentation.bytes", facts.resident() - facts.used());
    number(reply, "heap.used", facts.heapUsed());
    number(reply, "heap.max", Runtime.getRuntime().maxMemory());
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
