package dev.kermes.bench.harness;

/** Thrown when a benchmark cannot run; the message is for its user. */
public final class BenchmarkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BenchmarkException(String message) {
    super(message);
  }
}
