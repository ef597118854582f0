package dev.kermes.reactor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a handler wants. Key and pattern are cut into segments at every {@code /}; they match
 * when all segments do:
 *
 * <pre>
 *   orders      itself
 *   *           one segment that is not empty
 *   {name}      the same, and captures it: dots and all
 *   **          all that is left, which may be empty but for its slash: last segment only
 *   {name}**    the same, and captures it
 *
 *   /lib/{file}**   /lib/a.js   /lib/a/b   /lib/      but not   /lib   /library
 * </pre>
 *
 * A segment is one of these as a whole. Keys are compared as they are: case counts, and nothing is
 * decoded. Of several patterns that match, the most specific one is the one whose first segment
 * that differs in kind stands further up in the list above. Immutable.
 */
public final class RoutePattern {

  enum Kind {
    LITERAL,
    ONE,
    REST
  }

  /** {@code name} is null where nothing is captured; a literal's text is its own. */
  record Segment(Kind kind, String text, @Nullable String name) {}

  private final String text;
  private final List<Segment> segments;

  private RoutePattern(String text, List<Segment> segments) {
    this.text = text;
    this.segments = segments;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException saying what is wrong with which segment
   */
  public static RoutePattern of(String text) {
    List<Segment> segments = new ArrayList<>();
    Set<String> names = new HashSet<>();
    String[] words = text.split("/", -1);
    for (int i = 0; i < words.length; i++) {
      Segment segment = segment(words[i], text);
      if (segment.kind == Kind.REST && i < words.length - 1) {
        throw wrong("** is for the last segment", words[i], text);
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
    if (hasSpecial(word)) throw wrong("*, { and } must make up a whole segment", word, pattern);
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

  /** Whether it matches one key only: itself. */
  boolean isExact() {
    for (Segment segment : segments) if (segment.kind != Kind.LITERAL) return false;
    return true;
  }

  /** Whether {@code key} matches. O(length of the key). */
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

  /** What {@code name} captured of a key that matches; null if there is no such name. */
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

  /** All captures of a key that matches, by name, in the order of the pattern. */
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

  /** Names do not count: two patterns are equal when they match the same keys. */
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

  /** The text that it was made of. */
  @Override
  public String toString() {
    return text;
  }
}
