package dev.kermes.cli.rediscli;

import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Implements {@code --stat}: prints a line each second on the server's keys, memory, clients and
 * load.
 */
final class ServerStats {

  private static final int LINES_PER_HEADER = 20;
  private static final String HEADER =
      String.format(
          "%10s %10s %8s %8s %14s %12s %12s%n",
          "keys", "memory", "clients", "blocked", "requests", "per second", "connections");

  private final CliSession session;
  private final CliOptions options;
  private long requestsBefore = -1;

  ServerStats(CliSession session, CliOptions options) {
    this.session = session;
    this.options = options;
  }

  /** Prints until the program ends, or as many lines as -r says. */
  void run() throws IOException {
    long interval = options.intervalMillis > 0 ? options.intervalMillis : 1000;
    for (long line = 0; options.repeat <= 1 || line < options.repeat; line++) {
      if (line > 0) pause(interval);
      if (line % LINES_PER_HEADER == 0) session.print(HEADER);
      session.print(line(interval));
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new CliExit(0);
    }
  }

  private String line(long intervalMillis) {
    Map<String, String> info = info();
    long requests = number(info, "total_commands_processed");
    long each = requestsBefore < 0 ? 0 : (requests - requestsBefore) * 1000 / intervalMillis;
    requestsBefore = requests;
    return String.format(
        Locale.ROOT,
        "%10d %10s %8d %8d %14d %12d %12d%n",
        keys(info),
        info.getOrDefault("used_memory_human", "?"),
        number(info, "connected_clients"),
        number(info, "blocked_clients"),
        requests,
        each,
        number(info, "total_connections_received"));
  }

  private Map<String, String> info() {
    Map<String, String> fields = new HashMap<>();
    for (String line : session.call("INFO").string().split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon > 0) fields.put(line.substring(0, colon), line.substring(colon + 1));
    }
    return fields;
  }

  private static long number(Map<String, String> info, String field) {
    return Long.parseLong(info.getOrDefault(field, "0"));
  }

  /** Returns the number of keys in all databases: {@code db0:keys=3,expires=0,…}. */
  private static long keys(Map<String, String> info) {
    long keys = 0;
    for (Map.Entry<String, String> field : info.entrySet()) {
      String value = field.getValue();
      if (!field.getKey().matches("db[0-9]+") || !value.startsWith("keys=")) continue;
      keys += Long.parseLong(value.substring("keys=".length(), value.indexOf(',')));
    }
    return keys;
  }
}
