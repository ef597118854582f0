package dev.kermes.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Log lines as redis-server writes them, to standard output or the file of {@code logfile}:
 *
 * <pre>
 *   4242:M 20 Nov 2026 13:00:00.123 * Ready to accept connections on port 6379 (epoll)
 * </pre>
 */
final class ServerLog extends Handler {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm:ss.SSS", Locale.ENGLISH);

  private final long pid = ProcessHandle.current().pid();
  private final PrintStream out;

  private ServerLog(OutputStream out) {
    this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  /** Opens the log that the options ask for, and sends the libraries' messages there, too. */
  static ServerLog open(List<ServerOptions.Option> options) throws IOException {
    String name = ServerOptions.lastValue(options, "logfile");
    Level level = levelOf(ServerOptions.lastValue(options, "loglevel"));
    Path file = Path.of(ServerOptions.lastValue(options, "dir")).resolve(name);
    ServerLog log =
        new ServerLog(name.isEmpty() ? System.out : new FileOutputStream(file.toFile(), true));
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) root.removeHandler(handler);
    root.addHandler(log);
    root.setLevel(level);
    return log;
  }

  private static Level levelOf(String name) {
    return switch (name) {
      case "debug" -> Level.FINE;
      case "verbose", "notice", "" -> Level.INFO;
      case "nothing" -> Level.OFF;
      default -> Level.WARNING;
    };
  }

  void notice(String message) {
    line('*', message);
  }

  void warning(String message) {
    line('#', message);
  }

  private void line(char level, String message) {
    out.println(
        pid
            + ":M "
            + TIME.format(ZonedDateTime.now(ZoneId.systemDefault()))
            + " "
            + level
            + " "
            + message);
  }

  @Override
  public void publish(LogRecord entry) {
    int level = entry.getLevel().intValue();
    char mark =
        level >= Level.WARNING.intValue() ? '#' : level >= Level.INFO.intValue() ? '*' : '.';
    line(mark, entry.getMessage());
    if (entry.getThrown() != null) entry.getThrown().printStackTrace(out);
  }

  @Override
  public void flush() {
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
