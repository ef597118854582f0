package dev.kermes.cli.rediscli;

import org.jspecify.annotations.Nullable;

/**
 * The target of a redirection by a cluster: {@code MOVED 42 host:port} or {@code ASK 42 host:port}.
 */
record Redirection(boolean isAsk, String slot, String host, int port) {

  /**
   * Parses an error; returns null if it is another one. An empty host means the host of the asked
   * server.
   */
  static @Nullable Redirection of(String error, String asked) {
    String[] words = error.split(" ", -1);
    boolean isAsk = words[0].equals("ASK");
    if (words.length != 3 || !isAsk && !words[0].equals("MOVED")) return null;
    int colon = words[2].lastIndexOf(':');
    if (colon < 0) return null;
    try {
      String host = colon == 0 ? asked : words[2].substring(0, colon);
      int port = Integer.parseInt(words[2].substring(colon + 1));
      return new Redirection(isAsk, "slot " + words[1], host, port);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  String place() {
    return host + ":" + port;
  }
}
