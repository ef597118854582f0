package dev.kermes.server.data;

/**
 * Scores between two bounds, each of which belongs to the range or not: {@code 1 (5}, {@code -inf
 * +inf}.
 */
public record ScoreRange(double min, boolean minExclusive, double max, boolean maxExclusive) {

  /** Everything below the range. */
  public SkipList.Boundary below() {
    return (score, array, offset, length) -> minExclusive ? score <= min : score < min;
  }

  /** Everything below the range and in it. */
  public SkipList.Boundary upTo() {
    return (score, array, offset, length) -> maxExclusive ? score < max : score <= max;
  }
}
