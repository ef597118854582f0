package dev.kermes.client.reply;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the longest common subsequence of two strings.
 *
 * @param matches from the last one to the first
 * @param length of the whole subsequence
 */
public record LcsMatches(List<Match> matches, long length) {
  /**
   * A part that is common to both strings.
   *
   * @param first its range in the first string
   * @param second its range in the second string
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
