package dev.kermes.http.internal.files;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the Range field of a request; RFC 9110, 14.1 and 14.2. */
public final class Ranges {

  /** A range within the file; {@code last} is included. */
  public record Range(long first, long last) {
    public long length() {
      return last - first + 1;
    }
  }

  /** More ranges than these could make the server send the same bytes repeatedly. */
  private static final int COUNT_MAX = 16;

  private Ranges() {}

  /**
   * Parses a field.
   *
   * @return null if the field must be ignored: another unit, malformed, too many ranges or
   *     overlapping ones; empty if no range is within the file
   */
  static @Nullable List<Range> parse(String field, long size) {
    if (!field.regionMatches(true, 0, "bytes=", 0, 6)) return null;
    List<Range> ranges = new ArrayList<>();
    int specs = 0;
    for (String word : field.substring(6).split(",", -1)) {
      String spec = word.strip();
      if (spec.isEmpty()) continue;
      int dash = spec.indexOf('-');
      if (dash < 0 || ++specs > COUNT_MAX) return null;
      long first = number(spec.substring(0, dash).strip());
      long last = number(spec.substring(dash + 1).strip());
      if (first == BROKEN || last == BROKEN || first == NONE && last == NONE) return null;
      if (first == NONE) {
        if (size == 0 && last > 0) return null; // the last bytes of an empty file: all of it
        first = Math.max(0, size - last);
        last = last == 0 ? -1 : size - 1;
      } else if (last == NONE) {
        last = size - 1;
      } else if (last < first) {
        return null;
      }
      if (first < size && last >= first) ranges.add(new Range(first, Math.min(last, size - 1)));
    }
    if (specs == 0) return null;
    return overlap(ranges) ? null : ranges;
  }

  private static final long NONE = -1;
  private static final long BROKEN = -2;

  /** Parses digits; a number too large for a long becomes the largest long. */
  private static long number(String text) {
    if (text.isEmpty()) return NONE;
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) return BROKEN;
      number = number > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : number * 10 + digit;
    }
    return number;
  }

  private static boolean overlap(List<Range> ranges) {
    for (int i = 0; i < ranges.size(); i++) {
      for (int j = 0; j < i; j++) {
        Range a = ranges.get(i);
        Range b = ranges.get(j);
        if (a.first <= b.last && b.first <= a.last) return true;
      }
    }
    return false;
  }
}
