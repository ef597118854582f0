package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.util.LinkedHashMap;
import java.util.Map;

/** Jobs that sleep, followed by jobs that compute: which of them delay the others. */
final class MixedJobs implements Experiment {

  private static final long COMPUTING = 16;

  /**
   * A computing job takes slightly less time than a sleeping one: in the article, 230 to 250 ms.
   */
  private static final double COMPUTING_TO_SLEEPING = 230.0 / 250;

  private static final double ARTICLE_SLEEP_MILLIS = 250;

  private static final Map<Long, Map<String, Double>> ARTICLE =
      Map.of(
          32L, Map.of(Dispatch.POOL_OF_8.go(), 1521.0, "thread", 530.0),
          64L, Map.of(Dispatch.POOL_OF_8.go(), 3200.0, "thread", 530.0));

  private static final Figure ARTICLE_SLEEPS = Figure.number("articleSleeps", "article sleeps");
  private static final Figure SLEEPS = Figure.number("sleeps", "sleeps");

  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public String title() {
    return "Blocking and computing together";
  }

  @Override
  public String article() {
    return "Article 002, “Clojure concurrency and blocking with core.async”: jobs that sleep 250 ms and jobs that compute"
        + " 230 ms; 4 cores with 8 hardware threads.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    long sleepMillis = lab.choose(10L, 40L, 100L);
    long times = timesFor(sleepMillis * COMPUTING_TO_SLEEPING);
    Findings findings = new Findings();
    Map<Long, Map<String, Double>> sleeps = new LinkedHashMap<>();
    for (long sleeping : new long[] {32, 64}) {
      Map<String, Double> measured = measure(lab, sleeping, sleepMillis, times);
      sleeps.put(sleeping, measured);
      addTo(findings, sleeping, sleepMillis, measured);
    }
    findings.note(
        "A sleep is %d ms; to compute is to take a number apart %,d times."
            .formatted(sleepMillis, times));
    return Dispatch.addAllVersions(findings).shows(sentence(sleeps));
  }

  /** The number of factorisations that take this long. */
  private static long timesFor(double millis) throws Exception {
    long sample = 50;
    Runnable serial = Dispatch.TODAY.ways("factors", sample, 1L).getOrDefault("serial", () -> {});
    for (int i = 0; i < 5; i++) serial.run();
    return Math.max(1, Math.round(sample * millis / Timing.millis(serial::run)));
  }

  /** Converts to multiples of one sleep. */
  private static Map<String, Double> measure(Lab lab, long sleeping, long sleepMillis, long times)
      throws Exception {
    Map<String, Runnable> ways = Dispatch.compare("mixed", sleeping, sleepMillis, COMPUTING, times);
    Map<String, Double> millis = Timing.alternate(lab, sleeping + " jobs sleep", ways);
    millis.replaceAll((way, time) -> time / sleepMillis);
    return millis;
  }

  private static void addTo(
      Findings findings, long sleeping, long sleepMillis, Map<String, Double> sleeps) {
    String title = "%d jobs sleep, %d compute".formatted(sleeping, COMPUTING);
    Table table =
        new Table(title, "way", Timing.ARTICLE_MILLIS, ARTICLE_SLEEPS, Timing.MILLIS, SLEEPS);
    Plot plot = Plot.bars(title, "lengths of one sleep");
    sleeps.forEach((way, measured) -> {
      double article = Timing.find(ARTICLE.getOrDefault(sleeping, Map.of()), way);
      table.row(way, article, article / ARTICLE_SLEEP_MILLIS, measured * sleepMillis, measured);
      plot.bar("article", way, article / ARTICLE_SLEEP_MILLIS);
      plot.bar("measured", way, measured);
    });
    findings.table(table).plot(plot);
  }

  private static String sentence(Map<Long, Map<String, Double>> sleeps) {
    Map<String, Double> few = sleeps.getOrDefault(32L, Map.of());
    Map<String, Double> many = sleeps.getOrDefault(64L, Map.of());
    return "32 more jobs that sleep cost go blocks on a pool of 8 %.1f sleeps, today's go blocks %.1f, threads %.1f."
        .formatted(
            more(few, many, Dispatch.POOL_OF_8.go()),
            more(few, many, Dispatch.TODAY.go()),
            more(few, many, "thread"));
  }

  private static double more(Map<String, Double> few, Map<String, Double> many, String way) {
    return Timing.find(many, way) - Timing.find(few, way);
  }
}
