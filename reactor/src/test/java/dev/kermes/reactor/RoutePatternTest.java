package dev.kermes.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that patterns match, and the order in which {@link PatternIndex} finds patterns. */
class RoutePatternTest {

  @ParameterizedTest
  @CsvSource({
    // Literals are compared exactly: dots, case and slashes matter.
    "a,          a,           true",
    "a,          A,           false",
    "a.b,        axb,         false",
    "a/b,        a/b,         true",
    "a/b,        a,           false",
    "a/b,        a/b/,        false",
    "/a,         a,           false",
    "'',         '',          true",
    "'',         a,           false",
    // One segment, non-empty, possibly with dots.
    "*,          a,           true",
    "*,          a.js,        true",
    "*,          '',          false",
    "*,          a/b,         false",
    "/lib/{f},   /lib/a.js,   true",
    "/lib/{f},   /lib/,       false",
    "/lib/{f},   /lib/a/b,    false",
    "/{a}/x,     /1/x,        true",
    "/{a}/x,     //x,         false",
    "/{a}/x,     /1/y,        false",
    // The rest, which may be empty, but only after a slash.
    "**,         '',          true",
    "**,         a/b/c,       true",
    "/lib/**,    /lib/,       true",
    "/lib/**,    /lib,        false",
    "/lib/**,    /library,    false",
    "/lib/{r}**, /lib/a/b.js, true",
    "/lib/{r}**, /lib//a,     true",
    "/{a}/{r}**, /x/,         true",
    "/{a}/{r}**, //x,         false",
  })
  void matches(String pattern, String key, boolean expected) {
    assertThat(RoutePattern.of(pattern).matches(key)).isEqualTo(expected);
    List<String> found = new ArrayList<>();
    PatternIndex<String> index = new PatternIndex<>();
    index.add(RoutePattern.of(pattern), pattern);
    index.find(key, value -> !found.add(value));
    assertThat(found).hasSize(expected ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a**",
        "**/a",
        "/{a}**/b",
        "{}",
        "{}**",
        "{a",
        "a}",
        "x{a}",
        "{a}.js",
        "/{a}/{a}",
        "{a}*",
        "***",
        "{a{b}}",
        "{a}/{a}**",
        "a*"
      })
  void of_badPattern_namesTheSegment(String pattern) {
    assertThatThrownBy(() -> RoutePattern.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bad pattern: ")
        .hasMessageContaining("segment=")
        .hasMessageEndingWith("pattern=" + pattern);
  }

  @Test
  void capture_returnsNamedSegmentsAndRest() {
    RoutePattern pattern = RoutePattern.of("/lib/{user-id}/*/{rest}**");
    String key = "/lib/jo.e/x/a/b.js";
    assertThat(pattern.capture(key, "user-id")).isEqualTo("jo.e");
    assertThat(pattern.capture(key, "rest")).isEqualTo("a/b.js");
    assertThat(pattern.capture(key, "other")).isNull();
    assertThat(pattern.captures(key)).isEqualTo(Map.of("user-id", "jo.e", "rest", "a/b.js"));
    assertThat(RoutePattern.of("/lib/{r}**").capture("/lib/", "r")).isEmpty();
  }

  @Test
  void equals_patternsThatMatchTheSameKeys() {
    assertThat(RoutePattern.of("/a/{x}")).isEqualTo(RoutePattern.of("/a/*"));
    assertThat(RoutePattern.of("/a/{x}**")).isEqualTo(RoutePattern.of("/a/**"));
    assertThat(RoutePattern.of("/a/*")).isNotEqualTo(RoutePattern.of("/a/**"));
  }

  @Test
  void find_mostSpecificFirst() {
    List<String> patterns = List.of("**", "/**", "/*/b", "/a/**", "/a/*", "/a/b");
    PatternIndex<String> index = new PatternIndex<>();
    for (String pattern : patterns) index.add(RoutePattern.of(pattern), pattern);
    List<String> found = new ArrayList<>();
    index.find("/a/b", value -> !found.add(value));
    assertThat(found).containsExactlyElementsOf(patterns.reversed());
  }

  @Test
  void find_visitorReturnsTrue_stops() {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(RoutePattern.of("a"), "exact");
    index.add(RoutePattern.of("*"), "one");
    List<String> seen = new ArrayList<>();
    assertThat(index.find("a", value -> seen.add(value))).isTrue();
    assertThat(seen).containsExactly("exact");
  }

  @Test
  void find_deadEndOfALiteral_continuesWithOtherPatterns() {
    PatternIndex<String> index = new PatternIndex<>();
    index.add(RoutePattern.of("/a/x/c"), "literal");
    index.add(RoutePattern.of("/{n}/b/c"), "captured");
    List<String> seen = new ArrayList<>();
    index.find("/a/b/c", value -> !seen.add(value));
    assertThat(seen).containsExactly("captured");
  }

  @Test
  void remove_removesOneOccurrence_andPrunesTheTree() {
    PatternIndex<String> index = new PatternIndex<>();
    RoutePattern pattern = RoutePattern.of("/a/{x}/c/**");
    index.add(pattern, "v");
    index.add(pattern, "v");
    assertThat(index.remove(pattern, "other")).isFalse();
    assertThat(index.remove(pattern, "v")).isTrue();
    assertThat(index.find("/a/b/c/", value -> true)).isTrue();
    assertThat(index.remove(pattern, "v")).isTrue();
    assertThat(index.remove(pattern, "v")).isFalse();
    assertThat(index.find("/a/b/c/", value -> true)).isFalse();
  }

  /** All patterns and keys of up to three segments, against regular expressions. */
  @Test
  void find_allShortPatterns_agreesWithRegularExpressions() {
    List<String> patterns = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (String a : List.of("", "a", "b", "*", "**")) {
      patterns.add(a);
      if (a.equals("**")) continue;
      for (String b : List.of("", "a", "b", "*", "**")) {
        patterns.add(a + "/" + b);
        if (b.equals("**")) continue;
        for (String c : List.of("", "a", "*", "**")) patterns.add(a + "/" + b + "/" + c);
      }
    }
    List<String> words = List.of("", "a", "b", "a.b");
    for (String a : words) {
      keys.add(a);
      for (String b : words) {
        keys.add(a + "/" + b);
        for (String c : words) keys.add(a + "/" + b + "/" + c);
      }
    }
    PatternIndex<String> index = new PatternIndex<>();
    List<String> shuffled = new ArrayList<>(patterns);
    Collections.shuffle(shuffled, new Random(1));
    for (String pattern : shuffled) index.add(RoutePattern.of(pattern), pattern);
    for (String key : keys) {
      List<String> found = new ArrayList<>();
      index.find(key, value -> !found.add(value));
      List<String> expected =
          patterns.stream().filter(p -> regex(p).matcher(key).matches()).toList();
      assertThat(found).as(key).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static Pattern regex(String pattern) {
    return Pattern.compile(pattern.replace("**", ".#").replace("*", "[^/]+").replace("#", "*"));
  }
}
