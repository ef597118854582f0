package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Options;
import dev.kermes.bench.harness.Report;
import dev.kermes.bench.harness.Row;
import dev.kermes.bench.http.HttpBenchmark;
import dev.kermes.bench.load.LoadResult;
import dev.kermes.bench.peers.Peers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Downloads of a 1 MB file, 100 and 1 at a time, from Node, nginx and Kermes. */
final class ReactorAgainstNode implements Experiment {

  private static final Figure MEAN = LoadResult.MEAN;
  private static final Figure[] COLUMNS = {
    Figure.OPS,
    HttpBenchmark.CPU_PER_GB,
    Figure.MIN,
    MEAN,
    LoadResult.DEVIATION,
    Figure.MEDIAN,
    Figure.P99,
    Figure.MAX
  };

  private static final String KERMES = "kermes";
  private static final String NODE = "node single";
  private static final Set<String> SERVERS =
      Set.of(KERMES, "kermes loops=1", "nginx", NODE, "node cluster");

  /** The "Total" lines of the gist; where it states no rate, the one implied by its mean time. */
  private static final double[] NODE_100 = {100 / 0.254, Timing.NONE, 248, 254, 2.4, 255, 257, 257};

  private static final double[] JVM_100 = {100 / 0.121, Timing.NONE, 67, 121, 17.2, 126, 138, 138};
  private static final double[] NODE_1 = {270.12, Timing.NONE, 3, 3.702, 2.3, 3, 15, 32};
  private static final double[] JVM_1 = {228.89, Timing.NONE, 2, 4.369, 0.5, 4, 6, 8};

  /** A case of the benchmark, with the corresponding figures of the article. */
  private record Case(String name, int connections, String title) {
    double[] node() {
      return connections == 1 ? NODE_1 : NODE_100;
    }

    double[] jvm() {
      return connections == 1 ? JVM_1 : JVM_100;
    }
  }

  private static final Case MANY =
      new Case("1 MB, 100, a connection each", 100, "100 downloads at a time, a connection each");
  private static final Case ONE =
      new Case("1 MB, 1, a connection each", 1, "One download at a time, a connection each");
  private static final List<Case> WITH_AB =
      List.of(
          MANY,
          ONE,
          new Case("1 MB, 100, ab", 100, "100 at a time, by Apache Bench"),
          new Case("1 MB, 1, ab", 1, "One at a time, by Apache Bench"));

  @Override
  public String name() {
    return "node";
  }

  @Override
  public String title() {
    return "A reactor against Node.js: files of 1 MB";
  }

  @Override
  public String article() {
    return "The gist \"Reactor-based framework versus Node.js streaming\" (2012) lets Apache Bench"
        + " download a file of 1 MB from a Node.js server that streams it and from the author's JVM"
        + " framework that hands it to FileChannel.transferTo. It names neither its machine nor its"
        + " versions; Node ran one process, the JVM as many threads as it liked.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    // Apache Bench runs thousands of requests, however short the other cases are.
    List<Case> cases = lab.isQuick() ? List.of(MANY, ONE) : WITH_AB;
    double seconds = lab.choose(0.1, 0.6, 1.0);
    lab.begin("downloads", cases.size() * serverCount() * (lab.rounds() + 1));
    HttpBenchmark benchmark = new HttpBenchmark(SERVERS::contains);
    Report report = benchmark.run(options(lab, cases, seconds, benchmark), lab.progress());

    Findings findings = new Findings();
    for (Case each : cases) {
      if (!rows(report, each).isEmpty()) findings.table(table(report, each));
    }
    return findings
        .plot(plot(report, "Files of 1 MB per second", "files per second", Figure.OPS))
        .plot(plot(report, "Server CPU time", "seconds per GB", HttpBenchmark.CPU_PER_GB))
        .missing(report.missing())
        .note(
            "Medians of %d alternating runs of %.1f s; one client thread on the same machine."
                .formatted(lab.rounds(), seconds))
        .note(
            "The gist measured with Apache Bench, which a full run does as well; it counts whole milliseconds, and its one thread is slower than the fastest servers.")
        .note("The gist gives no rate for 100 at a time: 100 / its mean time is shown.")
        .version("Node.js", Program.version("node", "--version"))
        .version("nginx", Program.version("nginx", "-v"))
        .shows(shows(report));
  }

  private static int serverCount() {
    int count = 2;
    if (Peers.find("NODE", "node") != null) count += 2;
    if (Peers.find("NGINX", "nginx") != null) count++;
    return count;
  }

  private static Options options(
      Lab lab, List<Case> cases, double seconds, HttpBenchmark benchmark) {
    List<String> arguments = new ArrayList<>();
    if (lab.isQuick()) arguments.add("--quick");
    arguments.addAll(List.of("--runs", "" + lab.rounds(), "--seconds", "" + seconds));
    for (Case each : cases) arguments.addAll(List.of("--cases", each.name));
    return Options.parse(arguments, benchmark.options());
  }

  private static List<Row> rows(Report report, Case of) {
    return report.rows().stream().filter(row -> row.benchCase().equals(of.name)).toList();
  }

  private static Table table(Report report, Case of) {
    Table table = new Table(of.title, "server", COLUMNS);
    table.row("article: Node.js", of.node()).row("article: JVM framework", of.jvm());
    for (Row row : rows(report, of)) {
      table.row(row.peer(), row.figures());
    }
    return table;
  }

  private static Plot plot(Report report, String title, String unit, Figure figure) {
    Plot plot = Plot.bars(title, unit);
    for (Case each : List.of(MANY, ONE)) {
      String series = each.connections == 1 ? "one at a time" : "100 at a time";
      if (figure.equals(Figure.OPS)) {
        plot.bar(series, "article: Node.js", each.node()[0]);
        plot.bar(series, "article: JVM framework", each.jvm()[0]);
      }
      for (Row row : rows(report, each)) plot.bar(series, row.peer(), row.get(figure.name()));
    }
    return plot;
  }

  private static String shows(Report report) {
    double many = ratio(report, MANY);
    double one = ratio(report, ONE);
    if (Double.isNaN(many)) return "Node.js is not installed: nothing to compare with.";
    return ("Kermes sends %.1f times as many files per second as a Node.js stream with 100 downloads"
            + " at a time, and %.1f times as many with one at a time; the article's framework sent"
            + " %.1f and %.1f times as many.")
        .formatted(many, one, JVM_100[0] / NODE_100[0], JVM_1[0] / NODE_1[0]);
  }

  /** The rate of Kermes divided by that of Node; NaN without Node. */
  private static double ratio(Report report, Case of) {
    return rate(report, of, KERMES) / rate(report, of, NODE);
  }

  private static double rate(Report report, Case of, String server) {
    for (Row row : rows(report, of)) {
      if (row.peer().equals(server)) return row.get(Figure.OPS.name());
    }
    return Timing.NONE;
  }
}
