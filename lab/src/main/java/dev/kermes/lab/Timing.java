package dev.kermes.lab;

import dev.kermes.bench.Figure;
import dev.kermes.bench.Medians;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long things take, in milliseconds. */
final class Timing {

  /** Stands where nothing was measured. */
  static final double NONE = Double.NaN;

  static final Figure MILLIS = new Figure("millis", "ms", "%,.1f");
  static final Figure ARTICLE_MILLIS = new Figure("articleMillis", "article ms", "%,.1f");

  private Timing() {}

  /** Something that takes time. */
  interface Work {
    void run() throws Exception;
  }

  static double millis(Work work) throws Exception {
    long began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e6;
  }

  /** Each of these, run once at a time. */
  static Map<String, Double> alternate(Lab lab, String part, Map<String, Runnable> works)
      throws Exception {
    Map<String, Work> once = new LinkedHashMap<>();
    works.forEach((name, work) -> once.put(name, work::run));
    return alternate(lab, part, once, 1);
  }

  /**
   * Medians in milliseconds of works that take turns; a turn is {@code times} runs, of which the
   * middle one counts.
   */
  static Map<String, Double> alternate(Lab lab, String part, Map<String, Work> works, int times)
      throws Exception {
    Map<String, Lab.Subject> subjects = new LinkedHashMap<>();
    works.forEach((name, work) -> subjects.put(name, () -> turn(work, times)));
    Map<String, Double> millis = new LinkedHashMap<>();
    lab.alternate(part, subjects)
        .forEach((name, figures) -> millis.put(name, find(figures, MILLIS.name())));
    return millis;
  }

  private static Map<String, Double> turn(Work work, int times) throws Exception {
    double[] millis = new double[times];
    for (int i = 0; i < times; i++) millis[i] = millis(work);
    return Map.of(MILLIS.name(), Medians.of(millis));
  }

  /** The figure of this name, {@link #NONE} where there is none. */
  static double find(Map<String, Double> figures, String name) {
    return figures.getOrDefault(name, NONE);
  }
}
