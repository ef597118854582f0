package dev.kermes.cli;

/**
 * Whether people sit at the ends, as {@code ./kermes} says: Java itself knows of both ends at most,
 * and from Java 22 on not even that. Without its word there are none.
 */
final class Terminals {

  private Terminals() {}

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
