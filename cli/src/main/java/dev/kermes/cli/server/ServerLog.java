package dev.kermes.cli.server;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
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
 *
 * or, with {@code log-format}, in Valkey's machine-readable formats:
 *
 * <pre>
 *   pid=4242 timestamp="20 Nov 2026 13:00:00.123" level=notice message="Ready to ..."
 *   {"pid":4242,"timestamp":"20 Nov 2026 13:00:00.123","level":"notice","message":"Ready to ..."}
 * </pre>
 */
final class ServerLog extends Handler {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd MMM yyyy HH:mm:ss.SSS", Locale.ENGLISH);

  /**
   * Silences Netty's own lines, each with a stack trace, for every closed TLS client that does not
   * read: the server logs its own lines, at most ten a second.
   */
  private static final Logger TLS = Logger.getLogger("io.netty.handler.ssl.SslHandler");

  private final long pid = ProcessHandle.current().pid();
  private final PrintStream out;
  private volatile String format = "legacy";

  private ServerLog(OutputStream out) {
    this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  /** Opens the log of the options, and sends the libraries' messages there, too. */
  static ServerLog open(List<ServerOptions.Option> options) throws IOException {
    String name = ServerOptions.lastValue(options, "logfile");
    Path file = Path.of(ServerOptions.lastValue(options, "dir")).resolve(name);
    ServerLog log =
        new ServerLog(name.isEmpty() ? System.out : new FileOutputStream(file.toFile(), true));
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) root.removeHandler(handler);
    root.addHandler(log);
    TLS.setLevel(Level.SEVERE);
    log.set(
        ServerOptions.lastValue(options, "loglevel"),
        ServerOptions.lastValue(options, "log-format"));
    return log;
  }

  /** May be called while the server runs. */
  void set(String level, String form) {
    Logger.getLogger("").setLevel(levelOf(level));
    format = form.toLowerCase(Locale.ROOT);
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
    String time = TIME.format(ZonedDateTime.now(ZoneId.systemDefault()));
    switch (format) {
      case "logfmt" ->
          out.println(
              "pid=%d timestamp=\"%s\" level=%s message=\"%s\""
                  .formatted(pid, time, nameOf(level), escaped(message)));
      case "json" ->
          out.println(
              "{\"pid\":%d,\"timestamp\":\"%s\",\"level\":\"%s\",\"message\":\"%s\"}"
                  .formatted(pid, time, nameOf(level), escaped(message)));
      default -> out.println(pid + ":M " + time + " " + level + " " + message);
    }
  }

  private static String nameOf(char level) {
    return switch (level) {
      case '#' -> "warning";
      case '*' -> "notice";
      default -> "debug";
    };
  }

  /** Escapes a text for JSON. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '"', '\\' -> escaped.append('\\').append(each);
        case '\n' -> escaped.append("\\n");
        case '\r' -> escaped.append("\\r");
        case '\t' -> escaped.append("\\t");
        case '\f' -> escaped.append("\\f");
        case '\b' -> escaped.append("\\b");
        default -> {
          if (each < ' ') escaped.append("\\u%04x".formatted((int) each));
          else escaped.append(each);
        }
      }
    }
    return escaped.toString();
  }

  @Override
  public void publish(LogRecord entry) {
    int level = entry.getLevel().intValue();
    char mark =
        level >= Level.WARNING.intValue() ? '#' : level >= Level.INFO.intValue() ? '*' : '.';
    line(mark, entry.getMessage());
    if (entry.getThrown() != null) printTrace(entry.getThrown());
  }

  private void printTrace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    boolean isForMachines = format.equals("json") || format.equals("logfmt");
    if (isForMachines) line('#', trace.toString());
    else out.print(trace);
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
