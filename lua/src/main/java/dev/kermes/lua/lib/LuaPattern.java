package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import java.util.Arrays;

/**
 * A pattern of Lua 5.1 being matched against a subject. A zero byte ends the pattern, as it does in
 * C.
 */
final class LuaPattern {

  static final int CAPTURES_MAX = 32;
  private static final int DEPTH_MAX = 200;
  private static final int WORK_PER_CHECK = 1000;
  private static final int UNFINISHED = -1;
  private static final int POSITION = -2;
  private static final byte[] SPECIALS = Text.bytes("^$*+?.([%-");

  private final LuaCall call;
  private final byte[] subject;
  private final byte[] pattern;
  private int[] starts = {};
  private int[] lengths = {};
  private int level;
  private int depth;
  private int work;

  LuaPattern(LuaCall call, byte[] subject, byte[] pattern) {
    this.call = call;
    this.subject = subject;
    this.pattern = pattern;
  }

  /** Whether a pattern contains no special characters. */
  static boolean isPlain(byte[] pattern) {
    for (byte b : pattern) {
      if (b == 0) return true;
      for (byte special : SPECIALS) if (b == special) return false;
    }
    return true;
  }

  boolean isAnchored() {
    return at(0) == '^';
  }

  /** Returns the end of a match that starts there, or -1. */
  int match(int start) {
    return match(start, isAnchored() ? 1 : 0);
  }

  /** The same, with {@code ^} as an ordinary character. */
  int matchUnanchored(int start) {
    return match(start, 0);
  }

  private int match(int start, int from) {
    level = 0;
    depth = 0;
    return run(start, from);
  }

  private int at(int p) {
    return p < pattern.length ? pattern[p] & 0xff : 0;
  }

  private LuaError error(String message) {
    return call.error(message);
  }

  // Matching: s is an index of the subject, p one of the pattern

  private int run(int s, int p) {
    if (++depth > DEPTH_MAX) throw error("pattern too complex");
    int end = items(s, p);
    depth--;
    return end;
  }

  private int items(int start, int from) {
    int s = start;
    int p = from;
    for (; ; ) {
      if (++work % WORK_PER_CHECK == 0) call.spend(WORK_PER_CHECK);
      switch (at(p)) {
        case 0:
          return s;
        case '(':
          return at(p + 1) == ')' ? open(s, p + 2, POSITION) : open(s, p + 1, UNFINISHED);
        case ')':
          return close(s, p + 1);
        case '%':
          int next = escape(s, p);
          if (next == SINGLE) break;
          if (next < 0) return -1;
          s = next;
          p = escapeEnd(p);
          continue;
        case '$':
          if (at(p + 1) == 0) return s == subject.length ? s : -1;
          break;
        default:
          break;
      }
      int end = classEnd(p);
      int quantifier = at(end);
      switch (quantifier) {
        case '?':
          if (isSingle(s, p, end)) {
            int result = run(s + 1, end + 1);
            if (result >= 0) return result;
          }
          p = end + 1;
          continue;
        case '*':
          return expand(s, p, end, 0);
        case '+':
          return isSingle(s, p, end) ? expand(s, p, end, 1) : -1;
        case '-':
          return expandLittle(s, p, end);
        default:
          if (!isSingle(s, p, end)) return -1;
          s++;
          p = end;
      }
    }
  }

  private static final int SINGLE = Integer.MIN_VALUE;

  /** Continues after {@code %b}, {@code %f} or a back reference; returns -1 without a match. */
  private int escape(int s, int p) {
    int c = at(p + 1);
    if (c == 'b') return balance(s, p + 2);
    if (c == 'f') return frontier(s, p + 2);
    if (c >= '0' && c <= '9') return backReference(s, c);
    return SINGLE;
  }

  private int escapeEnd(int p) {
    return switch (at(p + 1)) {
      case 'b' -> p + 4;
      case 'f' -> classEnd(p + 2);
      default -> p + 2;
    };
  }

  private int balance(int s, int p) {
    if (at(p) == 0 || at(p + 1) == 0) throw error("unbalanced pattern");
    if (s >= subject.length || (subject[s] & 0xff) != at(p)) return -1;
    int open = at(p);
    int close = at(p + 1);
    int nested = 1;
    for (int i = s + 1; i < subject.length; i++) {
      int c = subject[i] & 0xff;
      if (c == close) {
        if (--nested == 0) return i + 1;
      } else if (c == open) {
        nested++;
      }
    }
    return -1;
  }

  private int frontier(int s, int p) {
    if (at(p) != '[') throw error("missing '[' after '%f' in pattern");
    int end = classEnd(p);
    int before = s == 0 ? 0 : subject[s - 1] & 0xff;
    int after = s < subject.length ? subject[s] & 0xff : 0;
    return isInSet(before, p, end - 1) || !isInSet(after, p, end - 1) ? -1 : s;
  }

  private int backReference(int s, int digit) {
    int capture = digit - '1';
    if (capture < 0 || capture >= level || lengths[capture] == UNFINISHED) {
      throw error("invalid capture index");
    }
    int length = Math.max(0, lengths[capture]);
    int from = starts[capture];
    boolean matches =
        subject.length - s >= length
            && Arrays.equals(subject, from, from + length, subject, s, s + length);
    return matches ? s + length : -1;
  }

  private int open(int s, int p, int what) {
    if (level >= CAPTURES_MAX) throw error("too many captures");
    if (level == starts.length) growCaptures();
    starts[level] = s;
    lengths[level] = what;
    level++;
    int end = run(s, p);
    if (end < 0) level--;
    return end;
  }

  private void growCaptures() {
    starts = Arrays.copyOf(starts, level + 4);
    lengths = Arrays.copyOf(lengths, level + 4);
  }

  private int close(int s, int p) {
    int capture = level - 1;
    while (capture >= 0 && lengths[capture] != UNFINISHED) capture--;
    if (capture < 0) throw error("invalid pattern capture");
    lengths[capture] = s - starts[capture];
    int end = run(s, p);
    if (end < 0) lengths[capture] = UNFINISHED;
    return end;
  }

  private int expand(int s, int p, int end, int least) {
    int count = at(p) == '%' ? countInClass(s, at(p + 1)) : countSingles(s, p, end, least);
    for (; count >= least; count--) {
      int result = run(s + count, end + 1);
      if (result >= 0) return result;
    }
    return -1;
  }

  private int countSingles(int s, int p, int end, int least) {
    int count = least;
    while (isSingle(s + count, p, end)) count++;
    return count;
  }

  private int countInClass(int s, int letter) {
    int at = s;
    while (at < subject.length && isInClass(subject[at] & 0xff, letter)) at++;
    return at - s;
  }

  private int expandLittle(int start, int p, int end) {
    int s = start;
    for (; ; ) {
      int result = run(s, end + 1);
      if (result >= 0) return result;
      if (!isSingle(s, p, end)) return -1;
      s++;
    }
  }

  // Classes

  private int classEnd(int start) {
    int p = start;
    int c = at(p++);
    if (c == '%') {
      if (at(p) == 0) throw error("malformed pattern (ends with '%')");
      return p + 1;
    }
    if (c != '[') return p;
    if (at(p) == '^') p++;
    do {
      if (at(p) == 0) throw error("malformed pattern (missing ']')");
      if (at(p++) == '%' && at(p) != 0) p++;
    } while (at(p) != ']');
    return p + 1;
  }

  private boolean isSingle(int s, int p, int end) {
    if (s >= subject.length) return false;
    int c = subject[s] & 0xff;
    return switch (at(p)) {
      case '.' -> true;
      case '%' -> isInClass(c, at(p + 1));
      case '[' -> isInSet(c, p, end - 1);
      default -> at(p) == c;
    };
  }

  /** Whether a set, from its opening to its closing bracket, contains a character. */
  private boolean isInSet(int c, int start, int last) {
    int p = start;
    boolean positive = true;
    if (at(p + 1) == '^') {
      positive = false;
      p++;
    }
    while (++p < last) {
      if (at(p) == '%') {
        p++;
        if (isInClass(c, at(p))) return positive;
      } else if (at(p + 1) == '-' && p + 2 < last) {
        p += 2;
        if (at(p - 2) <= c && c <= at(p)) return positive;
      } else if (at(p) == c) {
        return positive;
      }
    }
    return !positive;
  }

  private static boolean isInClass(int c, int letter) {
    int bit = CLASS_BITS[letter];
    if (bit == 0) return letter == c;
    return (CLASSES[c] & bit) != 0 == letter >= 'a';
  }

  /** The letters of the classes, each of which is a bit. */
  private static final String CLASS_LETTERS = "acdlpsuwxz";

  /** By letter, of either case: the bit of its class; 0 if it names none. */
  private static final short[] CLASS_BITS = new short[256];

  /** By character: the bits of the classes that contain it. */
  private static final short[] CLASSES = new short[256];

  static {
    for (int i = 0; i < CLASS_LETTERS.length(); i++) {
      char letter = CLASS_LETTERS.charAt(i);
      CLASS_BITS[letter] = (short) (1 << i);
      CLASS_BITS[letter - 'a' + 'A'] = (short) (1 << i);
      for (int c = 0; c < 256; c++) if (contains(letter, c)) CLASSES[c] |= (short) (1 << i);
    }
  }

  /** Whether a class contains a character, as in the C locale. */
  private static boolean contains(char letter, int c) {
    return switch (letter) {
      case 'a' -> isLetter(c);
      case 'c' -> c < 32 || c == 127;
      case 'd' -> isDigit(c);
      case 'l' -> c >= 'a' && c <= 'z';
      case 'p' -> c > 32 && c < 127 && !isLetter(c) && !isDigit(c);
      case 's' -> c == ' ' || c >= 9 && c <= 13;
      case 'u' -> c >= 'A' && c <= 'Z';
      case 'w' -> isLetter(c) || isDigit(c);
      case 'x' -> isDigit(c) || (c | 32) >= 'a' && (c | 32) <= 'f';
      default -> c == 0;
    };
  }

  private static boolean isLetter(int c) {
    return (c | 32) >= 'a' && (c | 32) <= 'z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  // Captures

  /** The number of values of a match: its captures, or the whole match. */
  int captureCount() {
    return level == 0 ? 1 : level;
  }

  int plainCaptureCount() {
    return level;
  }

  /** Pushes a capture of a match. */
  void push(int capture, int start, int end) {
    call.push(value(capture, start, end));
  }

  /** Pushes all captures. */
  void pushAll(int start, int end) {
    for (int i = 0; i < captureCount(); i++) push(i, start, end);
  }

  /** Returns a capture of a match; the whole match instead of a missing first capture. */
  Object value(int capture, int start, int end) {
    if (capture >= level) {
      if (capture != 0) throw error("invalid capture index");
      return LuaString.of(Arrays.copyOfRange(subject, start, end));
    }
    int length = lengths[capture];
    if (length == UNFINISHED) throw error("unfinished capture");
    if (length == POSITION) return starts[capture] + 1.0;
    int from = starts[capture];
    return LuaString.of(Arrays.copyOfRange(subject, from, from + length));
  }
}
