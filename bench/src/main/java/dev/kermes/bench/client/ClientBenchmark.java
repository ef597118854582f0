package dev.kermes.bench.client;

import com.sun.management.ThreadMXBean;
import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.ProcessCpu;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Client libraries side by side in one process against one server: throughput, processor time and
 * allocation of the client side. The clients take turns.
 */
public final class ClientBenchmark implements Benchmark {

  private static final Figure ALLOCATED = new Figure("clientBytesPerOperation", "B/op", "%,.0f");

  /** Shorter runs say little. */
  private static final int OPERATIONS_MIN = 100;

  /**
   * A case: the workload, its smallest and largest number of operations, and the clients that
   * cannot run it. Between those bounds a run takes as long as the others.
   */
  private record Case(
      String name, ClientLoad load, int operationsMin, int operationsMax, Set<String> without) {

    Case(String name, ClientLoad load, Set<String> without) {
      this(name, load, OPERATIONS_MIN, Integer.MAX_VALUE, without);
    }
  }

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
    return Set.of("--cases", "--clients", "--seconds");
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
    try (RunningServers running = RunningServers.start(peers, progress)) {
      RunningServer server = running.servers().getFirst();
      prepare(server);
      report.note("Server: %s %s.".formatted(server.peer().name(), server.version()));
      report.note(
          "Medians of %d runs of %.1f s after one to warm up, the clients alternating."
              .formatted(runs(options), seconds(options)));
      report.note("One connection each; jedis: a pool of 64, redisson: its own pool of 24 to 64.");
      for (Case each : cases(options)) {
        measure(each, server, options, report, progress);
        progress.keep(report);
      }
    }
    progress.done();
    return report;
  }

  private static int runs(Options options) {
    return options.number("--runs", options.isQuick() ? 1 : 3);
  }

  /** The length of a run. */
  private static double seconds(Options options) {
    return options.decimal("--seconds", options.isQuick() ? 0.1 : 0.5);
  }

  /** The installed Redis, unless the options select another server. */
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
    String bareSocket = PingClients.BARE_SOCKET;
    Set<String> manual = Set.of(ClientSubjects.MANUAL_FLUSH);
    Set<String> waiting = Set.of(ClientSubjects.MANUAL_FLUSH, ClientSubjects.JEDIS);
    Set<String> threads = Set.of(ClientSubjects.MANUAL_FLUSH, bareSocket);
    Set<String> chained = Set.of(ClientSubjects.MANUAL_FLUSH, ClientSubjects.JEDIS, bareSocket);
    Set<String> fired = Set.of(ClientSubjects.JEDIS, bareSocket);
    // Jedis caches only with Redis 7.4 and newer, Redisson only maps of its own.
    Set<String> uncached =
        Set.of(
            ClientSubjects.MANUAL_FLUSH,
            ClientSubjects.JEDIS,
            bareSocket,
            "redisson",
            "vertx-redis");
    List<Case> all = new ArrayList<>();
    all.add(new Case("one caller waits", ClientLoad.oneCaller(key(3), 3), manual));
    all.add(new Case("one caller, cached", ClientLoad.cached(key(3), 3), uncached));
    all.add(new Case("one caller, prepared", ClientLoad.prepared(key(3), 3), uncached));
    for (int callers : List.of(1, 4, 16, 64, 256, 1024)) {
      ClientLoad load = ClientLoad.asyncCallers(callers, key(3), 3);
      all.add(new Case(callers + " asynchronous callers", load, waiting));
    }
    for (int callers : List.of(64, 1024)) {
      ClientLoad load = ClientLoad.virtualThreads(callers, key(3), 3);
      all.add(new Case(callers + " virtual threads", load, threads));
    }
    for (int callers : List.of(64, 1024)) {
      ClientLoad load = ClientLoad.coroutines(callers, key(3), 3);
      all.add(new Case(callers + " coroutines", load, chained));
    }
    int sets = options.isQuick() ? 50_000 : 1_000_000;
    all.add(new Case("%,d SETs, all fired".formatted(sets), ClientLoad.burst(), sets, sets, fired));
    for (int chains : List.of(1, 64)) {
      ClientLoad load = ClientLoad.dependencies(chains);
      all.add(new Case(chains + " x INCR, SET + RPUSH", load, chained));
    }
    for (int length : List.of(16, 1024, 32 * 1024, 1024 * 1024)) {
      ClientLoad load = ClientLoad.asyncCallers(16, key(length), length);
      all.add(new Case("16 callers, values of " + length + " B", load, waiting));
    }
    ClientLoad neighbours = ClientLoad.withLargeReplies(16, key(16), 16, key(1024 * 1024));
    all.add(new Case("16 callers next to one for 1 MiB", neighbours, chained));
    all.removeIf(each -> !options.wants(each.name()));
    return all;
  }

  /** A warmed-up client and its results. */
  private record Warm(String client, ClientSubject subject, int operations, Medians medians) {}

  /** Measures the clients of one case. All of them are open at the same time and take turns. */
  private static void measure(
      Case each, RunningServer server, Options options, Report report, Progress progress)
      throws Exception {
    List<Warm> all = new ArrayList<>();
    try {
      for (var entry : ClientSubjects.all().entrySet()) {
        String client = entry.getKey();
        if (each.without().contains(client) || !isWanted(client, options)) continue;
        progress.show("%s: %s, warming up".formatted(each.name(), client));
        ClientSubject subject = entry.getValue().apply(server.address());
        int operations = warmUp(each, subject, seconds(options));
        all.add(new Warm(client, subject, operations, new Medians()));
      }
      for (int run = 1; run <= runs(options); run++) {
        for (Warm one : all) {
          progress.show("%s: %s, run %d".formatted(each.name(), one.client(), run));
          one.medians().add(timed(each, one.subject(), one.operations()));
        }
      }
    } finally {
      for (Warm one : all) one.subject().close();
    }
    for (Warm one : all) {
      Map<String, Double> figures = one.medians().figures();
      report.add(new Row(one.client(), version(one.client()), each.name(), figures));
    }
  }

  /** Whether it is the bare socket, or its name contains one of the words of {@code --clients}. */
  static boolean isWanted(String client, Options options) {
    String wanted = options.find("--clients");
    return wanted == null
        || client.equals(PingClients.BARE_SOCKET)
        || Arrays.stream(wanted.split(",")).anyMatch(client::contains);
  }

  /** Runs for {@code seconds}; returns how many operations a warm run of this length has. */
  private static int warmUp(Case each, ClientSubject subject, double seconds) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    int operations = OPERATIONS_MIN;
    while (true) {
      long began = System.nanoTime();
      each.load().run(subject, operations);
      long now = System.nanoTime();
      if (now >= end) {
        double asLong = operations * seconds * 1e9 / (now - began);
        return (int) Math.clamp(asLong, each.operationsMin(), each.operationsMax());
      }
      if (now - began < (end - now) / 4) operations *= 2;
    }
  }

  private static Map<String, Double> timed(Case each, ClientSubject subject, int operations)
      throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double cpu = ProcessCpu.ownSeconds();
    long bytes = threads.getTotalThreadAllocatedBytes();
    long began = System.nanoTime();
    each.load().run(subject, operations);
    double seconds = (System.nanoTime() - began) / 1e9;
    long allocated = threads.getTotalThreadAllocatedBytes() - bytes;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Figure.OPS.name(), operations / seconds);
    figures.put(Figure.CLIENT_CPU.name(), (ProcessCpu.ownSeconds() - cpu) / operations * 1e6);
    figures.put(ALLOCATED.name(), (double) allocated / operations);
    return figures;
  }

  /** The versions from the manifests of the jars, if they state one. */
  private static String version(String client) {
    Class<?> type =
        switch (client) {
          case ClientSubjects.JEDIS -> redis.clients.jedis.JedisPooled.class;
          case "lettuce", ClientSubjects.MANUAL_FLUSH -> io.lettuce.core.RedisClient.class;
          case "redisson" -> org.redisson.Redisson.class;
          default -> ClientBenchmark.class;
        };
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }
}
