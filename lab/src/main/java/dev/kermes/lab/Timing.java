package dev.kermes.lab;

import dev.kermes.bench.harness.Figure;
import dev.kermes.bench.harness.Medians;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures durations in milliseconds. */
final class Timing {

  /** Stands for a figure that was not measured. */
  static final double NONE = Double.NaN;

  static final Figure MILLIS = new Figure("millis", "ms", "%,.1f");
  static final Figure ARTICLE_MILLIS = new Figure("articleMillis", "article ms", "%,.1f");

  private Timing() {}

  /** A piece of work to measure. */
  interface Work {
    void run() throws Exception;
  }

  static double millis(Work work) throws Exception {
    long began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e6;
  }

  /** Measures each piece of work, one run per turn. */
  static Map<String, Double> alternate(Lab lab, String part, Map<String, Runnable> works)
      throws Exception {
    Map<String, Work> once = new LinkedHashMap<>();
    works.forEach((name, work) -> once.put(name, work::run));
    return alternate(lab, part, once, 1);
  }

  /**
   * Medians in milliseconds of pieces of work that alternate; a turn consists of {@code times}
   * runs, of which the median counts.
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

  /** The figure of this name, or {@link #NONE}. */
  static double find(Map<String, Double> figures, String name) {
    return figures.getOrDefault(name, NONE);
  }
}
