package dev.kermes.bench;

/** A benchmark that cannot run, in words for its user. */
final class BenchmarkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BenchmarkException(String message) {
    super(message);
  }
}
