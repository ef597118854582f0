package dev.kermes.cli;

/** Whether people sit at the ends; {@code ./kermes} knows, for Java can only tell both at once. */
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
    return known == null ? System.console() != null : known.contains(end);
  }
}
