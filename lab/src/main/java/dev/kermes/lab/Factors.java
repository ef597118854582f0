package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import java.util.Map;

/** Numbers factorised one at a time, and as many at a time as there are processors. */
final class Factors implements Experiment {

  /**
   * The article's figures for 1,000 numbers. It states that the pipeline takes about as long as the
   * others.
   */
  private static final Map<String, Double> ARTICLE =
      Map.of(
          "serial",
          2300.0,
          Dispatch.POOL_OF_8.go(),
          680.0,
          "thread",
          680.0,
          "pipeline",
          680.0,
          "fold",
          1150.0);

  private static final Figure ARTICLE_SPEED_UP =
      Figure.number("articleSpeedUp", "article speed-up");
  private static final Figure SPEED_UP = Figure.number("speedUp", "speed-up");

  @Override
  public String name() {
    return "factors";
  }

  @Override
  public String title() {
    return "1,000 numbers into their factors";
  }

  @Override
  public String article() {
    return "Article 002, “Clojure concurrency and blocking with core.async”: 4 cores with 8 hardware threads, 8 numbers at"
        + " a time.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    long count = lab.choose(40L, 200L, 1000L);
    long processors = Runtime.getRuntime().availableProcessors();
    Map<String, Double> millis =
        Timing.alternate(lab, count + " numbers", Dispatch.compare("factors", count, processors));
    millis.replaceAll((way, time) -> time * 1000 / count);
    double serial = Timing.find(millis, "serial");
    Table table =
        new Table(
            "1,000 times 29 · 982451653",
            "way",
            Timing.ARTICLE_MILLIS,
            ARTICLE_SPEED_UP,
            Timing.MILLIS,
            SPEED_UP);
    Plot plot = Plot.bars("1,000 numbers into their factors", "ms");
    millis.forEach((way, time) -> {
      double article = Timing.find(ARTICLE, way);
      table.row(way, article, Timing.find(ARTICLE, "serial") / article, time, serial / time);
      plot.bar("article", way, article);
      plot.bar("measured", way, time);
    });
    Findings findings =
        new Findings()
            .table(table)
            .plot(plot)
            .note("%,d numbers, %d at a time.".formatted(count, processors))
            .note(
                "fold divides a vector down to parts of at most 512: of 1,000 numbers it makes two, which explains the"
                    + " article's factor of two.")
            .shows(sentence(millis, serial, processors));
    return Dispatch.addAllVersions(findings);
  }

  private static String sentence(Map<String, Double> millis, double serial, long processors) {
    var quickest = millis.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    return "On %d processors go blocks gain a factor of %.1f, threads %.1f, and %s, the quickest, %.1f."
        .formatted(
            processors,
            serial / Timing.find(millis, Dispatch.TODAY.go()),
            serial / Timing.find(millis, "thread"),
            quickest.getKey(),
            serial / quickest.getValue());
  }
}
