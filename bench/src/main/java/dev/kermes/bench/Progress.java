package dev.kermes.bench;

/** What is going on, on standard error: one line that changes, or many where nobody watches. */
final class Progress {

  private final boolean isWatched = System.getenv("KERMES_TERMINAL") != null;

  void show(String line) {
    if (isWatched) System.err.print("\r\u001b[K" + line);
    else System.err.println(line);
  }

  void done() {
    if (isWatched) System.err.print("\r\u001b[K");
  }
}
