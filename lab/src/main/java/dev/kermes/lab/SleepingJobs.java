package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Go blocks and threads that sleep: how many of them sleep at the same time. */
final class SleepingJobs implements Experiment {

  private static final long SLEEP_MILLIS = 10;

  /** The article's figures for 1, 2, 3 ... go blocks. */
  private static final double[] ARTICLE = {
    11.403985, 11.050685, 10.37412, 10.342037, 10.359517, 10.409539, 10.543612, 10.429726,
    20.480441, 20.442724, 21.115002, 21.192993, 21.113135, 21.376159, 20.754207, 20.654873,
    31.084513, 31.152651
  };

  @Override
  public String name() {
    return "sleep";
  }

  @Override
  public String title() {
    return "Go blocks and threads that sleep";
  }

  @Override
  public String article() {
    return "Article 002, “Clojure concurrency and blocking with core.async”: go blocks on the pool of 8 threads"
        + " that core.async had; 4 cores with 8 hardware threads.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    Map<Integer, Map<String, Double>> millis = new TreeMap<>();
    for (int n : counts(lab)) {
      Map<String, Runnable> ways = Dispatch.compare("sleep", (long) n, SLEEP_MILLIS);
      millis.put(n, Timing.alternate(lab, n + " jobs", ways));
    }
    Findings findings = new Findings().table(table(millis)).plot(plot(millis));
    return Dispatch.addAllVersions(findings).shows(sentence(millis));
  }

  private static List<Integer> counts(Lab lab) {
    return lab.choose(
        List.of(1, 8, 9, 17),
        List.of(1, 4, 8, 9, 16, 17, 24, 25, 32, 33, 40),
        IntStream.rangeClosed(1, 40).boxed().toList());
  }

  private static double article(int n) {
    return n <= ARTICLE.length ? ARTICLE[n - 1] : Timing.NONE;
  }

  private static Table table(Map<Integer, Map<String, Double>> millis) {
    List<Figure> columns = new ArrayList<>();
    columns.add(new Figure("articleMillis", "article: go ms", "%.1f"));
    for (String way : millis.values().iterator().next().keySet()) {
      columns.add(new Figure(way, way + " ms", "%.1f"));
    }
    Table table = new Table("n jobs that sleep for 10 ms", "n", columns.toArray(new Figure[0]));
    millis.forEach((n, times) -> {
      double[] row = new double[columns.size()];
      row[0] = article(n);
      int i = 1;
      for (double time : times.values()) row[i++] = time;
      table.row(Integer.toString(n), row);
    });
    return table;
  }

  private static Plot plot(Map<Integer, Map<String, Double>> millis) {
    Plot plot =
        Plot.lines("n jobs that sleep for 10 ms, started at once", "n", "ms until all are done");
    for (int n : millis.keySet()) if (n <= ARTICLE.length) plot.point("article: go", n, article(n));
    millis.forEach((n, times) -> times.forEach((way, time) -> plot.point(way, n, time)));
    return plot;
  }

  /** Derives from the largest number of jobs how many sleep at the same time. */
  private static String sentence(Map<Integer, Map<String, Double>> millis) {
    int most = millis.keySet().stream().reduce(Math::max).orElseThrow();
    List<String> parts = new ArrayList<>();
    Map<String, Double> times = millis.getOrDefault(most, Map.of());
    times.forEach((way, time) ->
        parts.add("%s %.0f ms (%.1f sleeps)".formatted(way, time, time / SLEEP_MILLIS)));
    return "%d jobs that sleep for %d ms take: %s."
        .formatted(most, SLEEP_MILLIS, String.join("; ", parts));
  }
}
