package dev.kermes.bench.persistence;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.peers.Peer;
import dev.kermes.bench.peers.Peers;
import dev.kermes.bench.peers.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Starts of processes that load files of the same keys, which {@link SampleFiles} had one of the
 * servers write.
 */
final class FileLoadCase {

  /** The load time that the server itself reports. */
  static final Figure KEYS_PER_SECOND = new Figure("keysLoadedPerSecond", "keys loaded/s", "%,.0f");

  /** From the start of the process to its first reply. */
  static final Figure READY = new Figure("readyMillis", "ready after ms", "%,.0f");

  /** The CPU time of the whole process up to then. */
  static final Figure CPU = Figure.number("loadCpuSeconds", "CPU s of start and load");

  /**
   * Loads the same files again in the same process after emptying it, as a replica loads a full
   * sync.
   */
  static final Figure AGAIN =
      new Figure("keysLoadedAgainPerSecond", "keys loaded again/s", "%,.0f");

  private static final int RELOADS = 3;

  private final List<Peer> peers;
  private final Path folder;
  private final int keys;
  private final int runs;

  private FileLoadCase(List<Peer> peers, Path folder, int keys, int runs) {
    this.peers = peers;
    this.folder = folder;
    this.keys = keys;
    this.runs = runs;
  }

  static void measure(Peers peers, Path folder, Options options, Report report, Progress progress)
      throws IOException, InterruptedException {
    List<Peer> started = peers.present().stream().filter(peer -> peer.address() == null).toList();
    if (started.isEmpty()) return;
    int keys = options.number("--keys", options.isQuick() ? 20_000 : 1_000_000);
    Peer author = author(started);
    progress.show("writing the files to load: " + author.name());
    FileLoadCase loading = new FileLoadCase(started, folder, keys, options.runs());
    for (SampleFiles sample : SampleFiles.write(author, folder, keys)) {
      loading.measure(sample, report, progress);
    }
    report.note("Loaded: %,d keys of all types, by %s's files.".formatted(keys, author.name()));
  }

  /** Redis 7.0 comes first among the other servers; all servers read the files that it writes. */
  private static Peer author(List<Peer> peers) {
    return peers.stream()
        .filter(peer -> !peer.name().startsWith("kermes"))
        .findFirst()
        .orElse(peers.getFirst());
  }

  private void measure(SampleFiles sample, Report report, Progress progress)
      throws IOException, InterruptedException {
    Map<Peer, Medians> results = new LinkedHashMap<>();
    Map<Peer, String> versions = new LinkedHashMap<>();
    for (Peer peer : peers) copy(sample.folder(), folderOf(peer, sample));
    for (int run = 0; run <= runs; run++) {
      for (Peer peer : peers) {
        progress.show("loading %s, run %d: %s".formatted(sample.label(), run, peer.name()));
        try (RunningServer server =
            RunningServer.start(sample.loadedBy(peer), folderOf(peer, sample))) {
          versions.put(peer, server.version());
          Medians medians = results.computeIfAbsent(peer, key -> new Medians());
          if (run == 0) continue;
          medians.add(figures(server));
          for (int reload = 0; reload < RELOADS; reload++) medians.add(again(server, sample));
        }
      }
    }
    results.forEach((peer, medians) ->
        report.add(
            new Row(
                peer.name(),
                versions.getOrDefault(peer, ""),
                "loading " + sample.label(),
                medians.figures())));
  }

  private Path folderOf(Peer peer, SampleFiles sample) {
    return folder.resolve(peer.fileName()).resolve(sample.folder().getFileName());
  }

  private Map<String, Double> figures(RunningServer server) throws IOException {
    double cpuSeconds = server.cpuSeconds();
    expectAllKeys(server);
    return Map.of(
        KEYS_PER_SECOND.name(),
        keys / server.loadSeconds(),
        READY.name(),
        server.startMillis(),
        CPU.name(),
        cpuSeconds);
  }

  /** The command that empties the server must not be written to the file that it is to load. */
  private Map<String, Double> again(RunningServer server, SampleFiles sample) throws IOException {
    if (sample.appendOnly()) server.tell("CONFIG", "SET", "appendonly", "no");
    server.flush();
    long began = System.nanoTime();
    if (sample.appendOnly()) server.tell("DEBUG", "LOADAOF");
    else server.tell("DEBUG", "RELOAD", "NOSAVE");
    double seconds = (System.nanoTime() - began) / 1e9;
    expectAllKeys(server);
    return Map.of(AGAIN.name(), keys / seconds);
  }

  private void expectAllKeys(RunningServer server) throws IOException {
    String found = server.ask("DBSIZE");
    if (!found.equals(":" + keys)) {
      throw new BenchmarkException(server.peer().name() + " has other keys: DBSIZE=" + found);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) Files.createDirectories(target);
        else Files.copy(file, target);
      }
    }
  }
}
