package dev.kermes.bench;

import dev.kermes.bench.harness.Benchmark;
import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Progress;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.RepositoryRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The program behind {@code ./kermes bench}: lists the benchmarks, or runs one and writes its
 * results as Markdown under {@code bench/results/} and, on request, as JSON.
 */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) throws Exception {
    if (arguments.length == 0 || arguments[0].equals("list") || arguments[0].equals("--help")) {
      list();
      return 0;
    }
    Benchmark benchmark = Benchmarks.find(arguments[0]);
    if (benchmark == null) return fail("unknown benchmark: " + arguments[0]);
    try {
      List<String> rest = List.of(arguments).subList(1, arguments.length);
      Options options = Options.parse(rest, benchmark.options());
      String command = "./kermes bench " + String.join(" ", arguments);
      Progress progress = new Progress(report -> writeUnfinished(report, command));
      Report report = benchmark.run(options, progress);
      publish(report, options, command);
      return report.failures().isEmpty() ? 0 : 1;
    } catch (BenchmarkException e) {
      return fail(String.valueOf(e.getMessage()));
    }
  }

  private static int fail(String message) {
    System.err.println("kermes bench: " + message);
    return 1;
  }

  private static void list() {
    System.out.println("./kermes bench NAME [options]\n");
    for (Benchmark benchmark : Benchmarks.ALL) {
      System.out.printf("  %-16s %s%n", benchmark.name(), benchmark.summary());
      List<String> own = new ArrayList<>(benchmark.options());
      if (!own.isEmpty()) System.out.printf("  %-16s   %s%n", "", String.join(" ", own));
    }
    System.out.println(
        """

        Options of all:
          --quick                 fewer and shorter runs; ends within a minute, commands in about six
          --runs N                alternating runs per peer (median taken); 5 by default
          --json FILE             also as JSON; - is standard output
          --peer NAME=HOST:PORT   one more server, already running; may be given again
          --only NAME,NAME        only peers whose name starts with one of these\
        """);
  }

  private static Path results() throws IOException {
    return Files.createDirectories(RepositoryRoot.root().resolve("bench/results"));
  }

  /** The file of a run that ended early. */
  private static Path unfinished(Report report) throws IOException {
    return results().resolve(report.benchmark() + "-unfinished.md");
  }

  private static void writeUnfinished(Report report, String command) {
    try {
      Files.writeString(unfinished(report), report.toMarkdown(command));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void publish(Report report, Options options, String command) throws IOException {
    String markdown = report.toMarkdown(command);
    // Only complete runs are kept under the benchmark's own name.
    String suffix = ".md";
    if (options.isQuick()) suffix = "-quick.md";
    else if (options.isPartial()) suffix = "-partial.md";
    Files.writeString(results().resolve(report.benchmark() + suffix), markdown);
    Files.deleteIfExists(unfinished(report));
    String json = options.find("--json");
    if (json == null || !json.equals("-")) System.out.print(markdown);
    if (json == null) return;
    if (json.equals("-")) System.out.println(report.toJson());
    else Files.writeString(Path.of(json), report.toJson() + "\n");
  }
}
