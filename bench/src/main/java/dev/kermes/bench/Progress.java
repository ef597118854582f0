package dev.kermes.bench;

import java.util.function.Consumer;

/**
 * What is going on, on standard error: one line that changes, or many where nobody watches; and
 * what has been found so far, for whoever does not see the end.
 */
public class Progress {

  private final boolean isWatched = System.getenv("KERMES_TERMINAL") != null;
  private final Consumer<Report> keeper;

  /** {@code keeper} gets the unfinished report now and then. */
  public Progress(Consumer<Report> keeper) {
    this.keeper = keeper;
  }

  public void show(String line) {
    if (isWatched) System.err.print("\r\u001b[K" + line);
    else System.err.println(line);
  }

  /** One more part of {@code report} is there. */
  public void keep(Report report) {
    keeper.accept(report);
  }

  public void done() {
    if (isWatched) System.err.print("\r\u001b[K");
  }
}
