package dev.kermes.server.data.pattern;

/**
 * Redis's glob-style patterns on bytes: {@code *}, {@code ?}, {@code [abc]}, {@code [^a-c]}, {@code
 * \x}. A match never takes more than O(pattern x text). When a later part fails, only the last star
 * is tried again, because it can take everything that an earlier star could still take. Immutable.
 */
public final class Glob {

  /** The most stars that Redis accepts in a pattern; one with more matches nothing. */
  private static final int STARS_MAX = 1000;

  private final byte[] pattern;
  private final int end;

  /** The number of bytes at the start that match only themselves. */
  private final int literals;

  public Glob(byte[] pattern) {
    this.pattern = pattern;
    this.end = pattern.length;
    int count = 0;
    while (count < end && isLiteral(pattern[count])) count++;
    literals = count;
  }

  private static boolean isLiteral(byte b) {
    return b != '*' && b != '?' && b != '[' && b != '\\';
  }

  /** Whether everything matches: the pattern is a single star. */
  public boolean matchesAll() {
    return end == 1 && pattern[0] == '*';
  }

  /** Matches a pattern that is used only once. */
  public static boolean matches(byte[] pattern, byte[] text) {
    return new Glob(pattern).matches(text);
  }

  public boolean matches(byte[] text) {
    return matches(text, 0, text.length);
  }

  public boolean matches(byte[] text, int offset, int length) {
    if (length == 0) return end == 0; // as in Redis, where not even a star matches an empty text
    if (length < literals) return false;
    for (int i = 0; i < literals; i++) if (text[offset + i] != pattern[i]) return false;
    int at = literals;
    int from = offset + literals;
    int to = offset + length;
    int afterStar = -1;
    int retry = 0;
    int stars = 0;
    while (true) {
      if (at < end && pattern[at] == '*') {
        afterStar = ++at;
        retry = from;
        if (at == end) return true;
        if (++stars > STARS_MAX) return false;
      } else if (from == to) {
        return at == end;
      } else if (at < end && matchesOne(at, text[from])) {
        at = afterOne(at);
        from++;
      } else if (afterStar >= 0) {
        at = afterStar;
        from = ++retry;
      } else {
        return false;
      }
    }
  }

  /** Whether the element of the pattern at {@code at}, which is not a star, matches that byte. */
  private boolean matchesOne(int at, byte b) {
    return switch (pattern[at]) {
      case '?' -> true;
      case '[' -> classContains(at, b);
      case '\\' -> pattern[at + 1 < end ? at + 1 : at] == b;
      default -> pattern[at] == b;
    };
  }

  private int afterOne(int at) {
    return switch (pattern[at]) {
      case '[' -> afterClass(at);
      case '\\' -> Math.min(end, at + 2);
      default -> at + 1;
    };
  }

  /** The position after a class, which ends at its bracket or with the pattern. */
  private int afterClass(int at) {
    int i = afterCaret(at);
    while (i < end && pattern[i] != ']') i = afterMember(i);
    return Math.min(end, i + 1);
  }

  private boolean classContains(int at, byte b) {
    int i = afterCaret(at);
    boolean negated = i == at + 2;
    boolean found = false;
    while (i < end && pattern[i] != ']') {
      if (memberContains(i, b)) found = true;
      i = afterMember(i);
    }
    return found != negated;
  }

  private int afterCaret(int at) {
    return at + 1 < end && pattern[at + 1] == '^' ? at + 2 : at + 1;
  }

  private boolean isEscape(int i) {
    return pattern[i] == '\\' && i + 1 < end;
  }

  private boolean isRange(int i) {
    return i + 2 < end && pattern[i + 1] == '-';
  }

  /** Whether a member of a class contains a byte. Ranges compare bytes as signed, as Redis does. */
  private boolean memberContains(int i, byte b) {
    if (isEscape(i)) return pattern[i + 1] == b;
    byte low = pattern[i];
    if (!isRange(i)) return low == b;
    byte high = pattern[i + 2];
    return b >= Math.min(low, high) && b <= Math.max(low, high);
  }

  private int afterMember(int i) {
    if (isEscape(i)) return i + 2;
    return isRange(i) ? i + 3 : i + 1;
  }
}
