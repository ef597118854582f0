package dev.kermes.bench;

/** A benchmark that cannot run, in words for its user. */
public final class BenchmarkException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public BenchmarkException(String message) {
    super(message);
  }
}
