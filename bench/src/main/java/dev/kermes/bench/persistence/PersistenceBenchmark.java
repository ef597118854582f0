package dev.kermes.bench.persistence;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.RepositoryRoot;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peers;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The cost of files: SETs with the append only file ({@link AppendCase}), loading the files of a
 * million keys ({@link FileLoadCase}), and SETs during saves ({@link SaveCase}). All files are in
 * one folder of the repository.
 */
public final class PersistenceBenchmark implements Benchmark {

  @Override
  public String name() {
    return "persistence";
  }

  @Override
  public String summary() {
    return "SETs with the append only file; loading RDB and append only files; SETs during saves";
  }

  @Override
  public Set<String> options() {
    return Set.of("--cases", "--test-time", "--warm-up", "--keys");
  }

  @Override
  public Report run(Options options, Progress progress) throws Exception {
    Report report =
        new Report(name(), summary(), List.of(), List.of())
            .asMatrices(
                LoadResult.OPS_PER_CPU,
                Figure.OPS,
                LoadResult.SERVER_SHARE,
                LoadResult.CLIENT_SHARE,
                Figure.P50,
                Figure.P99,
                Figure.P999,
                SaveCase.P999_RATIO,
                SaveCase.MEMORY,
                SaveCase.MEMORY_RATIO,
                SaveCase.SAVES,
                FileLoadCase.KEYS_PER_SECOND,
                FileLoadCase.AGAIN,
                FileLoadCase.READY,
                FileLoadCase.CPU);
    Peers peers = Peers.find(options, false, false);
    report.missing(peers.missing());
    Path folder = RepositoryRoot.root().resolve("target/bench-persistence");
    delete(folder);
    Files.createDirectories(folder);
    if (admits(options, "append")) {
      AppendCase.measure(peers, folder, options, report, progress);
      progress.keep(report);
    }
    if (admits(options, "load")) {
      FileLoadCase.measure(peers, folder, options, report, progress);
      progress.keep(report);
    }
    if (admits(options, "save")) SaveCase.measure(peers, folder, options, report, progress);
    progress.done();
    report.note(
        "Medians of %d alternating runs: with fresh servers for saves, else after one to warm up."
            .formatted(options.runs()));
    report.note("Files: target/bench-persistence, " + fileSystem(folder));
    delete(folder);
    return report;
  }

  private static boolean admits(Options options, String part) {
    String parts = options.find("--cases");
    return parts == null || List.of(parts.split(",")).contains(part);
  }

  private static String fileSystem(Path folder) {
    try {
      FileStore store = Files.getFileStore(folder);
      return store.type() + " on " + store.name();
    } catch (IOException e) { // in a changed root directory: "Mount point not found"
      return "unknown file system";
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) Files.delete(file);
    }
  }
}
