package dev.kermes.cli.rediscli;

import dev.kermes.cli.reply.ReplyFormat;
import java.io.IOException;
import java.util.Locale;

/**
 * Implements {@code --latency}: sends PINGs, a hundred a second, and shows the time to their
 * replies in milliseconds. On a terminal it redraws one line; otherwise it prints minimum, maximum,
 * mean and count after a second, or after the time of {@code -i}.
 */
final class LatencyProbe {

  private static final long PAUSE_MILLIS = 10;

  private final CliSession session;
  private final CliOptions options;
  private double least = Double.MAX_VALUE;
  private double most;
  private double total;
  private long count;

  LatencyProbe(CliSession session, CliOptions options) {
    this.session = session;
    this.options = options;
  }

  void run() throws IOException {
    boolean isTerminal = session.form() == ReplyFormat.TERMINAL;
    long interval = options.intervalMillis > 0 ? options.intervalMillis : 1000;
    long end = System.nanoTime() + interval * 1_000_000;
    while (isTerminal || System.nanoTime() < end) {
      probe();
      if (isTerminal) session.print("\r" + forTerminal() + "   ");
      pause();
    }
    session.print(format("%.2f %.2f %.2f %d\n"));
  }

  private void probe() {
    long start = System.nanoTime();
    session.call("PING");
    double millis = (System.nanoTime() - start) / 1e6;
    least = Math.min(least, millis);
    most = Math.max(most, millis);
    total += millis;
    count++;
  }

  private String forTerminal() {
    return format("min: %.2f, max: %.2f, avg: %.2f ms (%d samples)");
  }

  private String format(String form) {
    return String.format(Locale.ROOT, form, least, most, total / count, count);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new CliExit(0);
    }
  }
}
