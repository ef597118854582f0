package dev.kermes.cli.rediscli;

/**
 * Whether standard input and output are terminals, according to {@code ./kermes}. Java itself knows
 * at most whether both are, and since Java 22 not even that. Without the launcher's statement
 * neither is one.
 */
final class TerminalEnds {

  private TerminalEnds() {}

  static boolean isInput() {
    return is("in");
  }

  static boolean isOutput() {
    return is("out");
  }

  private static boolean is(String end) {
    String known = System.getenv("KERMES_TERMINALS");
    return known != null && known.contains(end);
  }
}
