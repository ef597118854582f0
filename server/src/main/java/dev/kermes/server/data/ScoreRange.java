package dev.kermes.server.data;

/** The scores between two bounds, each inclusive or exclusive: {@code 1 (5}, {@code -inf +inf}. */
public record ScoreRange(double min, boolean minExclusive, double max, boolean maxExclusive) {

  /** The boundary below the range. */
  public SkipList.Boundary below() {
    return (score, array, offset, length) -> minExclusive ? score <= min : score < min;
  }

  /** The boundary above the range. */
  public SkipList.Boundary upTo() {
    return (score, array, offset, length) -> maxExclusive ? score < max : score <= max;
  }
}
