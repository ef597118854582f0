package dev.kermes.bench.client;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import dev.kermes.bench.peers.RunningServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The article's first measurement: the caller sends 1,000 PINGs and holds 1,000 PONGs. The clients
 * take turns of {@value #TURN} rounds on connections that stay open; a bare socket is the lower
 * bound.
 */
public final class Ping1000Benchmark implements Benchmark {

  /**
   * Rounds of one client before the next client's: after a long silence a core has to wake up
   * first.
   */
  private static final int TURN = 20;

  private static final Figure BARE_SOCKET_RATIO = Figure.number("bareSocketRatio", "x bare socket");

  @Override
  public String name() {
    return "ping1000";
  }

  @Override
  public String summary() {
    return "1,000 PINGs sent, 1,000 PONGs held: our client, Jedis, Lettuce, a bare socket";
  }

  @Override
  public Set<String> options() {
    return Set.of("--rounds", "--clients");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report =
        new Report(
            name(),
            summary(),
            List.of(Figure.MEDIAN, BARE_SOCKET_RATIO, Figure.MIN, Figure.P99, Figure.OPS),
            List.of(Figure.MEDIAN));
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    int rounds = options.number("--rounds", options.isQuick() ? 300 : 2000);
    Map<String, PingClients.Opener> clients = PingClients.all();
    clients.keySet().removeIf(name -> !ClientBenchmark.isWanted(name, options));
    rounds = Math.ceilDiv(rounds, TURN) * TURN;
    try (RunningServers running = RunningServers.start(peers, progress)) {
      for (RunningServer server : running.servers()) {
        measure(server, clients, rounds, report, progress);
      }
    }
    progress.done();
    report.note(
        "Medians of %,d rounds on one connection each, the clients alternating every %d, after as many to warm up."
            .formatted(rounds, TURN));
    return report;
  }

  private static void measure(
      RunningServer server,
      Map<String, PingClients.Opener> openers,
      int rounds,
      Report report,
      Progress progress)
      throws Exception {
    Map<String, PingClient> clients = new LinkedHashMap<>();
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    try {
      for (Map.Entry<String, PingClients.Opener> entry : openers.entrySet()) {
        clients.put(entry.getKey(), entry.getValue().open(server.address()));
      }
      for (int round = 0; round < 2 * rounds; round += TURN) {
        if (round / TURN % Math.max(1, rounds / TURN / 4) == 0) {
          String kind = round < rounds ? "warming up" : "measuring";
          progress.show(server.peer().name() + ": " + kind + ", round " + round % rounds);
        }
        if (round == rounds) millis.clear();
        for (Map.Entry<String, PingClient> client : clients.entrySet()) {
          List<Double> times = millis.computeIfAbsent(client.getKey(), key -> new ArrayList<>());
          for (int i = 0; i < TURN; i++) times.add(timed(client.getValue()));
        }
      }
    } finally {
      for (PingClient client : clients.values()) client.close();
    }
    addRows(server, millis, report);
  }

  private static double timed(PingClient client) throws Exception {
    long began = System.nanoTime();
    client.round();
    return (System.nanoTime() - began) / 1e6;
  }

  private static void addRows(
      RunningServer server, Map<String, List<Double>> millis, Report report) {
    double bareSocket =
        Medians.of(millis.getOrDefault(PingClients.BARE_SOCKET, List.of(Double.NaN)));
    String benchCase = "against %s %s".formatted(server.peer().name(), server.version());
    millis.forEach((client, times) -> {
      List<Double> sorted = times.stream().sorted().toList();
      double median = Medians.of(sorted);
      Map<String, Double> figures = new LinkedHashMap<>();
      figures.put(Figure.OPS.name(), PingClient.COUNT / median * 1e3);
      figures.put(Figure.MEDIAN.name(), median);
      figures.put(BARE_SOCKET_RATIO.name(), median / bareSocket);
      figures.put(Figure.MIN.name(), sorted.getFirst());
      figures.put(Figure.P50.name(), median);
      figures.put(Figure.P99.name(), sorted.get((int) (sorted.size() * 0.99)));
      figures.put(Figure.MAX.name(), sorted.getLast());
      report.add(new Row(client, "", benchCase, figures));
    });
  }
}
