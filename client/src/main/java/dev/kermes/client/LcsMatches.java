package dev.kermes.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where two strings have their longest common subsequence.
 *
 * @param matches from the last one to the first
 * @param length of the whole subsequence
 */
public record LcsMatches(List<Match> matches, long length) {
  /**
   * A part that both strings have.
   *
   * @param first where in the first string
   * @param second where in the second string
   * @param length of this part; null without WITHMATCHLEN
   */
  public record Match(Range first, Range second, @Nullable Long length) {}

  /**
   * A range of bytes.
   *
   * @param start the first byte's index
   * @param end the last byte's index
   */
  public record Range(long start, long end) {}
}
