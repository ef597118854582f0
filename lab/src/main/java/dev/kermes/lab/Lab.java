package dev.kermes.lab;

import dev.kermes.bench.harness.Medians;
import dev.kermes.bench.harness.Progress;
import java.util.LinkedHashMap;
import java.util.Map;

/** The extent of the measurements, and a progress bar. Owned by one thread. */
public final class Lab {

  /** The extents, from the smallest, for tests, to the one of published reports. */
  public enum Extent {
    QUICKEST,
    QUICK,
    FULL
  }

  /** A subject that is measured once per round and returns its figures by name. */
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

  /** A lab for tests: the smallest sizes, one round. */
  public static Lab quickest() {
    return new Lab(Extent.QUICKEST, 1, new ProgressBar());
  }

  /** Whether a run must end within a minute, or within seconds at the smallest extent. */
  public boolean isQuick() {
    return extent != Extent.FULL;
  }

  public boolean isQuickest() {
    return extent == Extent.QUICKEST;
  }

  /** Selects one of three sizes by the extent. */
  public <T> T choose(T quickest, T quick, T full) {
    return switch (extent) {
      case QUICKEST -> quickest;
      case QUICK -> quick;
      case FULL -> full;
    };
  }

  /** The number of rounds, in which subjects alternate; figures are medians over them. */
  public int rounds() {
    return rounds;
  }

  /** Begins a new part of the experiment with this many steps. */
  public void begin(String part, int steps) {
    bar.begin(part, steps);
  }

  /** Begins the next step of the part. */
  public void step(String what) {
    bar.show(what);
  }

  /** The progress bar, for a benchmark that reports one line per step. */
  public Progress progress() {
    return bar;
  }

  /**
   * Medians of each subject's figures over {@link #rounds}, in which the subjects alternate, after
   * a warm-up round that does not count.
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
