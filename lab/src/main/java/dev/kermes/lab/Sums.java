package dev.kermes.lab;

import java.util.Map;

/** A sum over many numbers: by sequences, reducers, transducers, a loop and a parallel fold. */
final class Sums implements Experiment {

  private static final long PUBLISHED = 10_000_000;

  private static final Map<String, Double> ARTICLE =
      Map.of(
          "range, sequences", 599.985027,
          "range, reducers", 432.453733,
          "vector, sequences", 555.125033,
          "vector, reducers", 371.145887,
          "vector, fused by hand", 324.793784,
          "vector, parallel fold", 145.529636);

  @Override
  public String name() {
    return "sums";
  }

  @Override
  public String title() {
    return "Ten million numbers, summed";
  }

  @Override
  public String article() {
    return "Article 002, “Reducers, transducers and core.async in Clojure”: the sum of the successors of the even ones among"
        + " ten million numbers; 8 hardware threads.";
  }

  @Override
  public Findings run(Lab lab) throws Exception {
    long count = lab.choose(200_000L, 2_000_000L, PUBLISHED);
    Map<String, Double> millis =
        Timing.alternate(lab, "%,d numbers".formatted(count), Dispatch.TODAY.ways("sums", count));
    millis.replaceAll((way, time) -> time * PUBLISHED / count);
    Table table = new Table("Ten million numbers", "way", Timing.ARTICLE_MILLIS, Timing.MILLIS);
    Plot plot = Plot.bars("The sum over ten million numbers", "ms");
    millis.forEach((way, time) -> {
      table.row(way, Timing.find(ARTICLE, way), time);
      plot.bar("article", way, Timing.find(ARTICLE, way));
      plot.bar("measured", way, time);
    });
    Findings findings =
        new Findings()
            .table(table)
            .plot(plot)
            .note("Measured with %,d numbers.".formatted(count))
            .shows(sentence(millis));
    return Dispatch.TODAY.addVersions(findings);
  }

  private static String sentence(Map<String, Double> millis) {
    double sequences = Timing.find(millis, "vector, sequences");
    return "Over a vector reducers are %.1f times as fast as sequences, transducers %.1f times, a loop fused by hand %.1f"
            .formatted(
                sequences / Timing.find(millis, "vector, reducers"),
                sequences / Timing.find(millis, "vector, transducers"),
                sequences / Timing.find(millis, "vector, fused by hand"))
        + " times, a parallel fold %.1f times on %d processors; the same loop over an array of longs %.0f times."
            .formatted(
                sequences / Timing.find(millis, "vector, parallel fold"),
                Runtime.getRuntime().availableProcessors(),
                sequences / Timing.find(millis, "array, fused by hand"));
  }
}
