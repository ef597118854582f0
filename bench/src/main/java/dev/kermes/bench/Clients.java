package dev.kermes.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Client libraries side by side in one process against one server: throughput, and what the client
 * side pays for it in processor time and allocation. They take turns, one open at a time.
 */
final class Clients implements Benchmark {

  private static final Figure ALLOCATED = new Figure("clientBytesPerOperation", "B/op", "%,.0f");

  /** A case: what is done, how often, and who cannot do it. */
  private record Case(String name, ClientLoad load, int operations, Set<String> without) {}

  @Override
  public String name() {
    return "client";
  }

  @Override
  public String summary() {
    return "client libraries: callers on one connection, bursts, chains, sizes; CPU and allocation";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report =
        new Report(
            name(),
            summary(),
            List.of(Figure.OPS, Figure.CLIENT_CPU, ALLOCATED),
            List.of(Figure.OPS, Figure.CLIENT_CPU));
    Peers peers = server(options);
    report.missing(peers.missing());
    try (Fleet fleet = Fleet.start(peers, progress)) {
      RunningServer server = fleet.servers().getFirst();
      prepare(server);
      for (Case each : cases(options)) measure(each, server, options, report, progress);
      report.note("Server: %s %s.".formatted(server.peer().name(), server.version()));
    }
    progress.done();
    report.note(
        "Medians of %d runs after one to warm up, the clients alternating."
            .formatted(options.runs()));
    report.note("One connection each; jedis: a pool of 64, redisson: its own pool of 24 to 64.");
    return report;
  }

  /** The installed Redis, unless another one is asked for. */
  private static Peers server(Options options) {
    Peers all = Peers.find(options, false, false);
    for (Peer peer : all.present()) {
      if (options.find("--only") != null || peer.name().equals("redis-server")) {
        return new Peers(List.of(peer), List.of());
      }
    }
    return all;
  }

  private static String key(int length) {
    return "bench:" + length;
  }

  private static void prepare(RunningServer server) {
    try (var client = dev.kermes.client.RedisClient.open(ClientSubjects.url(server.address()))) {
      for (int length : List.of(3, 16, 1024, 32 * 1024, 1024 * 1024)) {
        client.blocking().set(key(length), "x".repeat(length));
      }
    }
  }

  private static List<Case> cases(Options options) {
    int unit = options.isQuick() ? 1 : 10;
    String floor = PingClients.FLOOR;
    Set<String> manual = Set.of(ClientSubjects.MANUAL_FLUSH);
    Set<String> waiting = Set.of(ClientSubjects.MANUAL_FLUSH, ClientSubjects.JEDIS);
    Set<String> threads = Set.of(ClientSubjects.MANUAL_FLUSH, floor);
    Set<String> chained = Set.of(ClientSubjects.MANUAL_FLUSH, ClientSubjects.JEDIS, floor);
    Set<String> fired = Set.of(ClientSubjects.JEDIS, floor);
    List<Case> all = new ArrayList<>();
    all.add(new Case("one caller waits", ClientLoad.oneCaller(key(3), 3), 5_000 * unit, manual));
    for (int callers : List.of(1, 8, 64, 256, 1024)) {
      int operations = (callers == 1 ? 3_000 : 30_000) * unit;
      ClientLoad load = ClientLoad.asyncCallers(callers, key(3), 3);
      all.add(new Case(callers + " asynchronous callers", load, operations, waiting));
    }
    for (int callers : List.of(64, 1024)) {
      ClientLoad load = ClientLoad.virtualThreads(callers, key(3), 3);
      all.add(new Case(callers + " virtual threads", load, 20_000 * unit, threads));
    }
    all.add(new Case("SET, all fired", ClientLoad.burst(), 100_000 * unit, fired));
    for (int chains : List.of(1, 64)) {
      ClientLoad load = ClientLoad.dependencies(chains);
      int operations = (chains == 1 ? 3_000 : 15_000) * unit;
      all.add(new Case(chains + " x INCR, SET + RPUSH", load, operations, chained));
    }
    for (int length : List.of(16, 1024, 32 * 1024, 1024 * 1024)) {
      int operations = Math.max(20, 20_000_000 / (length + 1000)) * unit / 4;
      ClientLoad load = ClientLoad.asyncCallers(16, key(length), length);
      all.add(new Case("16 callers, values of " + length + " B", load, operations, waiting));
    }
    ClientLoad neighbours = ClientLoad.besideLarge(16, key(16), 16, key(1024 * 1024));
    all.add(new Case("16 callers beside one for 1 MiB", neighbours, 5_000 * unit, chained));
    String wanted = options.find("--cases");
    if (wanted != null) all.removeIf(each -> !each.name().contains(wanted));
    return all;
  }

  private static void measure(
      Case each, RunningServer server, Options options, Report report, Progress progress)
      throws Exception {
    Map<String, Medians> medians = new LinkedHashMap<>();
    for (int run = 0; run <= options.runs(); run++) {
      for (var entry : ClientSubjects.all().entrySet()) {
        String client = entry.getKey();
        if (each.without().contains(client)) continue;
        progress.show("%s: %s, run %d".formatted(each.name(), client, run));
        try (ClientSubject subject = entry.getValue().apply(server.address())) {
          each.load().run(subject, Math.max(100, each.operations() / 4)); // it has just been opened
          Map<String, Double> figures = timed(each, subject);
          if (run > 0) medians.computeIfAbsent(client, any -> new Medians()).add(figures);
        }
      }
    }
    medians.forEach(
        (client, of) -> report.add(new Row(client, version(client), each.name(), of.figures())));
  }

  private static Map<String, Double> timed(Case each, ClientSubject subject) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double cpu = ProcessCpu.ownSeconds();
    long bytes = threads.getTotalThreadAllocatedBytes();
    long began = System.nanoTime();
    each.load().run(subject, each.operations());
    double seconds = (System.nanoTime() - began) / 1e9;
    double operations = each.operations();
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.OPS.name(), operations / seconds);
    figures.put(Figure.CLIENT_CPU.name(), (ProcessCpu.ownSeconds() - cpu) / operations * 1e6);
    long allocated = threads.getTotalThreadAllocatedBytes() - bytes;
    figures.put(ALLOCATED.name(), allocated / operations);
    return figures;
  }

  /** From the manifests of their jars, where they say it. */
  private static String version(String client) {
    Class<?> type =
        switch (client) {
          case ClientSubjects.JEDIS -> redis.clients.jedis.JedisPooled.class;
          case "lettuce", ClientSubjects.MANUAL_FLUSH -> io.lettuce.core.RedisClient.class;
          case "redisson" -> org.redisson.Redisson.class;
          default -> Clients.class;
        };
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }
}
