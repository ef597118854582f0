package dev.kermes.lab;

import dev.kermes.bench.harness.Progress;

/** Shows the current part of an experiment as a bar: {@code [######----] 3/5 part: step}. */
public final class ProgressBar extends Progress {

  private static final int WIDTH = 24;

  private String experiment = "";
  private String part = "";
  private int steps = 1;
  private int step;

  public ProgressBar() {
    super(report -> {});
  }

  /** Begins another experiment, which has no parts yet. */
  void experiment(String name) {
    experiment = name;
  }

  void begin(String name, int count) {
    part = name;
    steps = Math.max(1, count);
    step = 0;
  }

  @Override
  public void show(String line) {
    step = Math.min(step + 1, steps);
    int filled = WIDTH * step / steps;
    super.show(
        "[%s%s] %s, %s, %d of %d: %s"
            .formatted(
                "#".repeat(filled),
                "-".repeat(WIDTH - filled),
                experiment,
                part,
                step,
                steps,
                line));
  }
}
