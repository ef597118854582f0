package dev.kermes.bench.harness;

import java.util.function.Consumer;

/**
 * Reports the progress of a run on standard error, by one changing line on a terminal or by many
 * lines elsewhere, and keeps the unfinished report in case the run does not end.
 */
public class Progress {

  private final boolean isWatched = System.getenv("KERMES_TERMINAL") != null;
  private final Consumer<Report> keeper;

  /** Creates a progress; {@code keeper} receives the unfinished report now and then. */
  public Progress(Consumer<Report> keeper) {
    this.keeper = keeper;
  }

  public void show(String line) {
    if (isWatched) System.err.print("\r\u001b[K" + line);
    else System.err.println(line);
  }

  /** Keeps {@code report}, which has one more part. */
  public void keep(Report report) {
    keeper.accept(report);
  }

  public void done() {
    if (isWatched) System.err.print("\r\u001b[K");
  }
}
