package dev.kermes.server.data.pattern;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobTest {

  @ParameterizedTest
  @CsvSource({
    "h?llo, hello, true",
    "h?llo, hllo, false",
    "h*llo, heeeello, true",
    "h*llo, hllo, true",
    "h[ae]llo, hallo, true",
    "h[ae]llo, hillo, false",
    "h[^e]llo, hallo, true",
    "h[^e]llo, hello, false",
    "h[a-b]llo, hbllo, true",
    "h[b-a]llo, hallo, true",
    "h\\*llo, h*llo, true",
    "h\\*llo, hello, false",
    "[a\\]b], ']', true",
    "[a-], ']', true",
    "'[', '[', false",
    "'[^', 'x', true",
    "a\\, 'a\\', true",
    "*, anything, true",
    "**a, bca, true",
    "*a*b*c, xaybzc, true",
    "*a*b*c, xaybz, false",
    "a*, a, true",
    "a*?, a, false",
    "'', '', true",
    "'', a, false",
  })
  void matches_asRedis(String pattern, String text, boolean expected) {
    assertThat(Glob.matches(bytes(pattern), bytes(text))).isEqualTo(expected);
  }

  @Test
  void matches_emptyText_onlyEmptyPattern() {
    assertThat(Glob.matches(bytes("*"), bytes(""))).isFalse();
    assertThat(new Glob(bytes("*")).matchesAll()).isTrue();
  }

  @Test
  void matches_upToAThousandStars() {
    byte[] text = bytes("a".repeat(2000));
    assertThat(Glob.matches(bytes("*?".repeat(1000)), text)).isTrue();
    assertThat(Glob.matches(bytes("*?".repeat(1001)), text)).isFalse();
  }

  @Test
  void matches_patternOfManyStars_isQuick() {
    byte[] pattern = bytes("a*".repeat(50_000) + "b");
    byte[] text = bytes("a".repeat(50_000));
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertThat(Glob.matches(pattern, text)).isFalse());
  }
}
