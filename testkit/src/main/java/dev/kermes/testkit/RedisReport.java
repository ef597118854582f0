package dev.kermes.testkit;

/** The report of a failed test; without a stack trace. */
final class RedisReport extends Exception {

  private static final long serialVersionUID = 1;

  RedisReport(String text) {
    super(text, null, false, false);
  }
}
