package dev.kermes.server.data.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExtendedRegexTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean find(String pattern, String text) {
    try {
      return new ExtendedRegex(bytes(pattern), false).find(bytes("x" + text), 1, text.length());
    } catch (RegexSyntaxException e) {
      throw new AssertionError(pattern, e);
    }
  }

  @ParameterizedTest(name = "{0} in {1}: {2}")
  @CsvSource(
      delimiter = ' ',
      value = {
        "abc xabcx true",
        "^abc xabc false",
        "^abc$ abc true",
        "a.c a\tc true",
        "a|bc|d xbc true",
        "(ab)+c ababc true",
        "a{2,3}b ab false",
        "^a{2,3}b aaaab false",
        "a{2} caa true",
        "a{0}b b true",
        "^(a|b)*$ abba true",
        "[[:digit:]]+x 12x true",
        "[^a-c] abc false",
        "[]a] ] true",
        "[a-] - true",
        "\\d\\w\\s 1a false",
        "\\x41 A true",
        "\\bfoo\\b a-foo-b true",
        "\\bfoo\\b afoob false",
        "a\\. a. true",
        "^(a?){20}$ aaaaa true",
        "() x true",
        "a||b c true"
      })
  void find_whatPosixSays(String pattern, String text, boolean expected) {
    assertThat(find(pattern, text)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = ' ',
      value = {
        "(a Missing_')'",
        "a) Missing_')'",
        "[a Missing_']'",
        "a{1 Missing_'}'",
        "a{2,1} Invalid_contents_of_{}",
        "a{256} Invalid_contents_of_{}",
        "a{x} Invalid_contents_of_{}",
        "*a Invalid_use_of_repetition_operators",
        "[b-a] Invalid_character_range",
        "[[:no:]] Unknown_character_class_name",
        "a\\ Trailing_backslash",
        "((a{255}){255}){255} Out_of_memory"
      },
      quoteCharacter = '"')
  void mistakes_areNamed(String pattern, String message) {
    assertThatThrownBy(() -> new ExtendedRegex(bytes(pattern), false))
        .isInstanceOf(RegexSyntaxException.class)
        .hasMessage("invalid regular expression: " + message.replace('_', ' '));
  }

  @Test
  void backReferences_areNotSupported() {
    assertThatThrownBy(() -> new ExtendedRegex(bytes("(a)\\1"), false))
        .hasMessage("regular expression backreferences are not supported");
  }

  @Test
  void ignoringCase_countsForSetsToo() throws RegexSyntaxException {
    ExtendedRegex regex = new ExtendedRegex(bytes("^h[a-c]L+o$"), true);
    assertThat(regex.find(bytes("HBllO"), 0, 5)).isTrue();
    assertThat(regex.find(bytes("HDllO"), 0, 5)).isFalse();
  }

  /** For patterns that both dialects write alike, java.util.regex gives the expected result. */
  @Test
  void randomPatterns_asJava() {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      String pattern = pattern(random, 3);
      Pattern theirs = Pattern.compile(pattern, Pattern.DOTALL);
      for (int j = 0; j < 4; j++) {
        String text = text(random);
        assertThat(find(pattern, text))
            .as("%s in %s", pattern, text)
            .isEqualTo(theirs.matcher(text).find());
      }
    }
  }

  private static String pattern(Random random, int depth) {
    StringBuilder pattern = new StringBuilder();
    for (int i = random.nextInt(1, 4); i > 0; i--) pattern.append(atom(random, depth));
    if (depth > 0 && random.nextInt(3) == 0) pattern.append('|').append(pattern(random, depth - 1));
    return pattern.toString();
  }

  /**
   * A random atom. Java gives up some counted groups that may match nothing, so groups have no
   * counts and contain no assertions.
   */
  private static String atom(Random random, int depth) {
    String[] atoms = {"a", "b", "c", ".", "[ab]", "[^a]", "\\w"};
    String[] assertions = {"^", "$", "\\b"};
    String[] repetitions = {"*", "+", "?", "{1,2}", "{2}", "{0,3}", "{1,}"};
    if (depth == 3 && random.nextInt(12) == 0) return assertions[random.nextInt(3)];
    boolean isGroup = depth > 0 && random.nextInt(4) == 0;
    String atom = atoms[random.nextInt(atoms.length)];
    if (isGroup) atom = "(" + pattern(random, depth - 1) + ")";
    int choices = isGroup ? 3 : repetitions.length;
    return random.nextInt(3) == 0 ? atom + repetitions[random.nextInt(choices)] : atom;
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) text.append("abc-".charAt(random.nextInt(4)));
    return text.toString();
  }

  @Test
  void find_neverTakesExponentialTime() {
    assertThat(find("^(a*)*b$", "a".repeat(5000))).isFalse();
    assertThat(find("(x+x+)+y", "x".repeat(5000))).isFalse();
    assertThat(find("(".repeat(900) + "a" + ")*".repeat(900), "b")).isTrue();
  }
}
