package dev.kermes.reactor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pattern that selects keys of events or paths of requests. Key and pattern are split into
 * segments at every {@code /}; they match if all segments match:
 *
 * <pre>
 *   orders      itself
 *   *           one non-empty segment
 *   {name}      one non-empty segment, captured as a whole, including dots
 *   **          the rest after a slash, which may be empty; last segment only
 *   {name}**    the same, captured
 *
 *   /lib/{file}**   /lib/a.js   /lib/a/b   /lib/      but not   /lib   /library
 * </pre>
 *
 * <p>A segment must be one of these as a whole. Keys are compared as they are: case matters, and
 * nothing is decoded. Of two matching patterns, compare the first segments that differ in kind: the
 * pattern whose segment is listed first above is the more specific one. Immutable.
 */
public final class RoutePattern {

  enum Kind {
    LITERAL,
    ONE,
    REST
  }

  /** A segment: {@code text} is its source, {@code name} is null if nothing is captured. */
  record Segment(Kind kind, String text, @Nullable String name) {}

  private final String text;
  private final List<Segment> segments;

  private RoutePattern(String text, List<Segment> segments) {
    this.text = text;
    this.segments = segments;
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if a segment is invalid; the message names it
   */
  public static RoutePattern of(String text) {
    List<Segment> segments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String[] words = text.split("/", -1);
    for (int i = 0; i < words.length; i++) {
      Segment segment = segment(words[i], text);
      if (segment.kind == Kind.REST && i < words.length - 1) {
        throw wrong("** must be the last segment", words[i], text);
      }
      if (segment.name != null && !names.add(segment.name)) {
        throw wrong("name used twice", words[i], text);
      }
      segments.add(segment);
    }
    return new RoutePattern(text, List.copyOf(segments));
  }

  private static Segment segment(String word, String pattern) {
    if (word.equals("*")) return new Segment(Kind.ONE, word, null);
    if (word.equals("**")) return new Segment(Kind.REST, word, null);
    boolean isRest = word.endsWith("}**");
    if (word.startsWith("{") && (isRest || word.endsWith("}"))) {
      String name = word.substring(1, word.length() - (isRest ? 3 : 1));
      if (name.isEmpty()) throw wrong("name missing", word, pattern);
      if (hasSpecial(name)) throw wrong("not a name", word, pattern);
      return new Segment(isRest ? Kind.REST : Kind.ONE, word, name);
    }
    if (hasSpecial(word)) throw wrong("*, { and } must form a whole segment", word, pattern);
    return new Segment(Kind.LITERAL, word, null);
  }

  private static boolean hasSpecial(String word) {
    for (int i = 0; i < word.length(); i++) if ("*{}".indexOf(word.charAt(i)) >= 0) return true;
    return false;
  }

  private static IllegalArgumentException wrong(String what, String segment, String pattern) {
    return new IllegalArgumentException(
        "bad pattern: " + what + ": segment=" + segment + ", pattern=" + pattern);
  }

  List<Segment> segments() {
    return segments;
  }

  /** Whether the pattern has only literals, and so matches exactly one key. */
  boolean isExact() {
    for (Segment segment : segments) if (segment.kind != Kind.LITERAL) return false;
    return true;
  }

  /** Whether the pattern matches {@code key}. O(length of the key). */
  public boolean matches(String key) {
    int start = 0;
    for (int i = 0; i < segments.size(); i++) {
      if (start > key.length()) return false;
      Segment segment = segments.get(i);
      if (segment.kind == Kind.REST) return true;
      int end = endOf(key, start);
      if (segment.kind == Kind.ONE) {
        if (end == start) return false;
      } else if (end - start != segment.text.length() || !key.startsWith(segment.text, start)) {
        return false;
      }
      start = end + 1;
    }
    return start > key.length();
  }

  /** The part of a matching key captured under {@code name}; null if there is no such name. */
  public @Nullable String capture(String key, String name) {
    int start = 0;
    for (Segment segment : segments) {
      boolean isWanted = name.equals(segment.name);
      if (segment.kind == Kind.REST) return isWanted ? key.substring(start) : null;
      int end = endOf(key, start);
      if (isWanted) return key.substring(start, end);
      start = end + 1;
    }
    return null;
  }

  /** All captures from a matching key, by name, in the order of the pattern. */
  public Map<String, String> captures(String key) {
    Map<String, String> captures = new LinkedHashMap<>();
    int start = 0;
    for (Segment segment : segments) {
      int end = segment.kind == Kind.REST ? key.length() : endOf(key, start);
      if (segment.name != null) captures.put(segment.name, key.substring(start, end));
      start = end + 1;
    }
    return captures;
  }

  /** The end of the segment that begins at {@code start}. */
  static int endOf(String key, int start) {
    int slash = key.indexOf('/', start);
    return slash < 0 ? key.length() : slash;
  }

  /** Names are ignored: two patterns are equal if they match the same keys. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RoutePattern pattern && shape().equals(pattern.shape());
  }

  @Override
  public int hashCode() {
    return shape().hashCode();
  }

  private List<String> shape() {
    List<String> shape = new ArrayList<>();
    for (Segment segment : segments) {
      switch (segment.kind) {
        case LITERAL -> shape.add(segment.text);
        case ONE -> shape.add("*");
        case REST -> shape.add("**");
      }
    }
    return shape;
  }

  /** The text that the pattern was parsed from. */
  @Override
  public String toString() {
    return text;
  }
}
