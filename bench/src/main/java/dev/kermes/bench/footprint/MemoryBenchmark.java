package dev.kermes.bench.footprint;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.ProcessMemory;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import dev.kermes.bench.peers.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * Memory per key with a million keys. Each case starts with an empty server; a JVM's heap is
 * collected before it is read.
 */
public final class MemoryBenchmark implements Benchmark {

  private static final Figure USED = Figure.number("usedMemoryPerKey", "used_memory bytes per key");
  private static final Figure LIVE = Figure.number("liveBytesPerKey", "live bytes per key");
  private static final Figure RSS = Figure.number("residentBytesPerKey", "resident bytes per key");

  private static final int BATCH = 1000;

  /** A million keys of one kind: key of 16 bytes, value of 32. */
  @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
  private enum Kind {
    STRINGS("strings", key -> command("SET", key(key), "v".repeat(32))),
    EXPIRING("strings with TTL", key -> command("SET", key(key), "v".repeat(32), "EX", "100000")),
    HASHES("hashes of 10 fields", key -> hash(key));

    private final String label;
    private final LongFunction<String> command;

    Kind(String label, LongFunction<String> command) {
      this.label = label;
      this.command = command;
    }
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String summary() {
    return "bytes per key for a million keys: strings, strings with TTL, hashes of 10 fields";
  }

  @Override
  public Set<String> options() {
    return Set.of("--keys");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    List<Figure> columns = List.of(LIVE, USED, RSS);
    Report report = new Report(name(), summary(), columns, List.of(LIVE));
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    int keys = options.number("--keys", options.isQuick() ? 50_000 : 1_000_000);
    for (Kind kind : Kind.values()) {
      // A fresh process for each case, because the heap's earlier growth must not count.
      try (RunningServers running = RunningServers.start(peers, progress)) {
        for (RunningServer server : running.servers()) {
          progress.show(kind.label + ": " + server.peer().name());
          report.add(measure(server, kind, keys));
        }
      }
    }
    progress.done();
    report.note("%,d keys of 16 bytes; values of 32 bytes.".formatted(keys));
    report.note("live: of ours the heap after a collection, of the others used_memory.");
    return report;
  }

  private static Row measure(RunningServer server, Kind kind, int keys)
      throws IOException, InterruptedException {
    try (Wire wire = new Wire(server.address())) {
      Sizes before = Sizes.of(server, wire);
      for (long key = 0; key < keys; key += BATCH) {
        StringBuilder commands = new StringBuilder();
        for (int i = 0; i < BATCH; i++) commands.append(kind.command.apply(key + i));
        byte[] bytes = commands.toString().getBytes(StandardCharsets.ISO_8859_1);
        wire.send(bytes, bytes.length);
        for (int i = 0; i < BATCH; i++) wire.reply();
      }
      Sizes after = Sizes.of(server, wire);
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(LIVE.name(), (after.live - before.live) / (double) keys);
      figures.put(USED.name(), (after.used - before.used) / (double) keys);
      figures.put(RSS.name(), (after.resident - before.resident) / (double) keys);
      return new Row(server.peer().name(), server.version(), kind.label, figures);
    }
  }

  /** A server's memory in bytes. */
  private record Sizes(long live, long used, long resident) {

    static Sizes of(RunningServer server, Wire wire) throws IOException, InterruptedException {
      boolean isJvm = wire.call("INFO", "memory").contains("used_memory_heap:");
      if (isJvm) ProcessMemory.collect(server.pid());
      String info = wire.call("INFO", "memory");
      long used = number(info, "used_memory:");
      long live = isJvm ? number(info, "used_memory_heap:") : used;
      return new Sizes(live, used, ProcessMemory.resident(server.pid()));
    }

    private static long number(String info, String field) {
      for (String line : info.split("\r\n")) {
        if (line.startsWith(field)) return Long.parseLong(line.substring(field.length()));
      }
      throw new BenchmarkException("INFO memory has no " + field);
    }
  }

  private static String key(long number) {
    return "key:%012d".formatted(number);
  }

  private static String hash(long key) {
    String[] words = new String[22];
    words[0] = "HSET";
    words[1] = key(key);
    for (int i = 0; i < 10; i++) {
      words[2 * i + 2] = "field" + i;
      words[2 * i + 3] = "value%05d".formatted(i);
    }
    return command(words);
  }

  private static String command(String... words) {
    StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      command.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return command.toString();
  }
}
