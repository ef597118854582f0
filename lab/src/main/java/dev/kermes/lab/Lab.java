package dev.kermes.lab;

import dev.kermes.bench.Medians;
import dev.kermes.bench.Progress;
import java.util.LinkedHashMap;
import java.util.Map;

/** How thoroughly to measure, and the bar that shows how far it has come. One thread's. */
public final class Lab {

  /** From the smallest that still shows the shape, for tests, to what is published. */
  public enum Extent {
    QUICKEST,
    QUICK,
    FULL
  }

  /** Something to measure once, which returns its figures by name. */
  public interface Subject {
    Map<String, Double> measure() throws Exception;
  }

  private final Extent extent;
  private final int rounds;
  private final ProgressBar bar;

  public Lab(Extent extent, int rounds, ProgressBar bar) {
    this.extent = extent;
    this.rounds = rounds;
    this.bar = bar;
  }

  /** For tests: sizes as small as they may be, one round. */
  public static Lab quickest() {
    return new Lab(Extent.QUICKEST, 1, new ProgressBar());
  }

  /** Whether it must end within a minute, or, when quickest, within seconds. */
  public boolean isQuick() {
    return extent != Extent.FULL;
  }

  public boolean isQuickest() {
    return extent == Extent.QUICKEST;
  }

  /** The one of three sizes that fits the extent. */
  public <T> T choose(T quickest, T quick, T full) {
    return switch (extent) {
      case QUICKEST -> quickest;
      case QUICK -> quick;
      case FULL -> full;
    };
  }

  /** How often subjects take turns; figures are the medians of as many. */
  public int rounds() {
    return rounds;
  }

  /** A new part of the experiment, of so many steps. */
  public void begin(String part, int steps) {
    bar.begin(part, steps);
  }

  /** One more step of the part begins. */
  public void step(String what) {
    bar.show(what);
  }

  /** The bar, for a benchmark each of whose lines is a step. */
  public Progress progress() {
    return bar;
  }

  /**
   * Medians of each subject's figures over {@link #rounds} in which the subjects take turns, after
   * one more that warms them up and does not count.
   */
  public Map<String, Map<String, Double>> alternate(String part, Map<String, Subject> subjects)
      throws Exception {
    begin(part, subjects.size() * (rounds + 1));
    Map<String, Medians> medians = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      for (Map.Entry<String, Subject> subject : subjects.entrySet()) {
        step(subject.getKey());
        Map<String, Double> figures = subject.getValue().measure();
        if (round == 0) continue;
        medians.computeIfAbsent(subject.getKey(), key -> new Medians()).add(figures);
      }
    }
    Map<String, Map<String, Double>> found = new LinkedHashMap<>();
    medians.forEach((name, of) -> found.put(name, of.figures()));
    return found;
  }
}
