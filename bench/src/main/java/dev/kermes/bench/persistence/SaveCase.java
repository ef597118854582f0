package dev.kermes.bench.persistence;

import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.load.BackgroundLoad;
import dev.kermes.bench.load.LoadGenerator;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.load.LoadSettings;
import dev.kermes.bench.load.MemtierRequests;
import dev.kermes.bench.peers.MemorySampler;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SETs at full speed on a million keys, without a save and then during one BGSAVE after the other;
 * both phases are warmed up. Each run starts with fresh servers, because the heap's earlier growth
 * must not count. Memory is the largest value of the process and its children.
 */
final class SaveCase {

  static final Figure MEMORY = new Figure("memoryMaxMegabytes", "most memory, MB", "%,.0f");
  static final Figure MEMORY_RATIO =
      Figure.number("memoryMaxRatio", "most memory / that without a save");
  static final Figure P999_RATIO = Figure.number("p999Ratio", "p99.9 / that without a save");
  static final Figure SAVES = Figure.number("savesPerSecond", "saves/s");

  private static final int THREADS = 2;
  private static final int CONNECTIONS = 50;
  private static final int PIPELINE = 16;
  private static final int VALUE_SIZE = 32;

  private static final String WITHOUT = "SETs without a save";
  private static final String WITH = "SETs during BGSAVE";

  private final Options options;
  private final Map<Peer, Medians> without = new LinkedHashMap<>();
  private final Map<Peer, Medians> with = new LinkedHashMap<>();
  private final Map<Peer, String> versions = new LinkedHashMap<>();

  /** The ratios of memory, run by run: a median hides that a heap grows in steps. */
  private final Map<Peer, List<String>> memoryRatios = new LinkedHashMap<>();

  private SaveCase(Options options) {
    this.options = options;
  }

  static void measure(Peers peers, Path folder, Options options, Report report, Progress progress)
      throws IOException, InterruptedException {
    SaveCase saving = new SaveCase(options);
    List<Peer> started = peers.with("--save", "").present();
    for (int run = 1; run <= options.runs(); run++) {
      for (Peer peer : started) {
        progress.show("saving, run %d: %s".formatted(run, peer.name()));
        Path own = Files.createDirectories(folder.resolve(peer.fileName()).resolve("save"));
        Files.deleteIfExists(own.resolve("dump.rdb")); // the server would load it
        try (RunningServer server = RunningServer.start(peer, own)) {
          saving.measure(server);
        }
      }
    }
    for (Peer peer : started) saving.addRow(peer, WITHOUT, saving.without, report);
    for (Peer peer : started) saving.addRow(peer, WITH, saving.with, report);
    saving.memoryRatios.forEach((peer, ratios) ->
        report.note("Memory ratios of %s: %s.".formatted(peer.name(), String.join(", ", ratios))));
    report.note(
        "Saved: %,d keys, while %d connections at pipeline %d set them with values of %d bytes, after %.0f s to warm up, and as long during saves as the measured time."
            .formatted(saving.keys(), CONNECTIONS, PIPELINE, VALUE_SIZE, saving.warmUp()));
  }

  private void addRow(Peer peer, String label, Map<Peer, Medians> results, Report report) {
    Medians medians = results.getOrDefault(peer, new Medians());
    report.add(new Row(peer.name(), versions.getOrDefault(peer, ""), label, medians.figures()));
  }

  private int keys() {
    return options.number("--keys", options.isQuick() ? 20_000 : 1_000_000);
  }

  /** Long enough for a heap to find its size. */
  private double warmUp() {
    return options.decimal("--warm-up", options.isQuick() ? 0.1 : 20);
  }

  private void measure(RunningServer server) throws IOException, InterruptedException {
    versions.put(server.peer(), server.version());
    LoadGenerator.prefill(server.address(), requests(), keys());
    Map<String, Double> before = runOnce(server, warmUp());
    without.computeIfAbsent(server.peer(), peer -> new Medians()).add(before);
    duringSaves(server); // during the first saves the JVM compiles the code that they need
    Map<String, Double> during = duringSaves(server);
    during.put(P999_RATIO.name(), ratio(during, before, Figure.P999));
    double memoryRatio = ratio(during, before, MEMORY);
    during.put(MEMORY_RATIO.name(), memoryRatio);
    memoryRatios
        .computeIfAbsent(server.peer(), peer -> new ArrayList<>())
        .add(MEMORY_RATIO.text(memoryRatio));
    with.computeIfAbsent(server.peer(), peer -> new Medians()).add(during);
  }

  private static double ratio(
      Map<String, Double> during, Map<String, Double> before, Figure figure) {
    return during.getOrDefault(figure.name(), Double.NaN)
        / before.getOrDefault(figure.name(), Double.NaN);
  }

  private Map<String, Double> duringSaves(RunningServer server)
      throws IOException, InterruptedException {
    long savesBefore = server.saves();
    BackgroundLoad.LoadSockets sockets = new BackgroundLoad.LoadSockets(server.address());
    Thread loadThread =
        Thread.ofPlatform().daemon().start(() -> BackgroundLoad.SAVE.runUntilClosed(sockets));
    try (sockets) {
      Map<String, Double> figures = runOnce(server, 0);
      figures.put(SAVES.name(), (server.saves() - savesBefore) / testTime());
      return figures;
    } finally {
      loadThread.join();
    }
  }

  private Map<String, Double> runOnce(RunningServer server, double warmUp)
      throws IOException, InterruptedException {
    try (MemorySampler memory =
        MemorySampler.start(server.pid(), Duration.ofMillis(millis(warmUp)))) {
      LoadResult result = LoadGenerator.run(settings(server, warmUp), server::cpuSeconds);
      Map<String, Double> figures = result.figures();
      figures.put(MEMORY.name(), memory.mostBytes() / 1e6);
      return figures;
    }
  }

  private double testTime() {
    return options.decimal("--test-time", options.isQuick() ? 0.3 : 6);
  }

  private static long millis(double seconds) {
    return Math.round(seconds * 1000);
  }

  private LoadSettings settings(RunningServer server, double warmUp) {
    return new LoadSettings(
        server.address(),
        THREADS,
        CONNECTIONS / THREADS,
        PIPELINE,
        requests(),
        Duration.ofMillis(millis(warmUp)),
        Duration.ofMillis(millis(testTime())));
  }

  private MemtierRequests requests() {
    return new MemtierRequests(1, 0, VALUE_SIZE, keys() - 1, 1);
  }
}
