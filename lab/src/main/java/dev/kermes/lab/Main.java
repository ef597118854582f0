package dev.kermes.lab;

import dev.kermes.bench.harness.BenchmarkException;
import dev.kermes.bench.harness.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * {@code ./kermes lab}: runs the experiments and writes the report as HTML and JSON to {@code
 * target/lab/} and, on request, as Markdown to {@code docs/}.
 */
public final class Main {

  private static final String USAGE =
      """
      ./kermes lab [options]

        --quick            small sizes, few rounds: at most 3 minutes in all
        --only NAME,NAME   these experiments only
        --rounds N         alternating rounds, of which the medians are shown
        --docs             writes docs/lab.md and its plots as well
        --list             names the experiments
        --help             this text

      The report is target/lab/lab.html; all figures are in target/lab/lab.json.\
      """;

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) throws Exception {
    try {
      Arguments parsed = Arguments.parse(List.of(arguments));
      if (parsed.helps()) System.out.println(USAGE);
      else if (parsed.lists()) list();
      else measure(parsed, "./kermes lab " + String.join(" ", arguments));
      return 0;
    } catch (BenchmarkException e) {
      System.err.println("kermes lab: " + e.getMessage());
      return 1;
    }
  }

  private static void list() {
    for (Experiment experiment : Experiments.ALL) {
      System.out.printf("  %-16s %s%n", experiment.name(), experiment.title());
    }
  }

  /** Writes the report after each experiment, so that a failure does not lose earlier results. */
  private static void measure(Arguments arguments, String command) throws Exception {
    ProgressBar bar = new ProgressBar();
    Lab lab = new Lab(arguments.extent(), arguments.rounds(), bar);
    String rounds = "medians of %d alternating rounds".formatted(lab.rounds());
    Results results = new Results(command.strip(), (lab.isQuick() ? "quick, " : "full, ") + rounds);
    for (Experiment experiment : arguments.experiments()) {
      bar.experiment(experiment.name());
      long began = System.nanoTime();
      Findings findings = experiment.run(lab);
      bar.done();
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      results.add(new Results.Result(experiment, findings, took));
      System.out.printf(
          "%s (%d s)%n  %s%n", experiment.title(), took.toSeconds(), findings.shows());
      publish(results);
    }
    Path root = RepositoryRoot.root();
    if (arguments.writesDocs()) MarkdownReport.write(results, root.resolve("docs"));
    System.out.println("Report: " + root.resolve("target/lab/lab.html"));
  }

  private static void publish(Results results) throws IOException {
    Path folder = Files.createDirectories(RepositoryRoot.root().resolve("target/lab"));
    Files.writeString(folder.resolve("lab.html"), HtmlReport.of(results));
    Files.writeString(folder.resolve("lab.json"), JsonReport.of(results) + "\n");
  }
}
