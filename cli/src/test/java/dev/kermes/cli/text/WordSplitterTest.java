package dev.kermes.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.cli.reply.PrintBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WordSplitterTest {

  @Test
  void split_atSpacesOfAnyKind() {
    assertThat(WordSplitter.split("")).isEmpty();
    assertThat(WordSplitter.split(" \t\r\n\f\u000b")).isEmpty();
    assertThat(WordSplitter.split("  a\t b\r\n")).containsExactly("a", "b");
    assertThat(WordSplitter.split("a\u00a0b \u2003")).containsExactly("a\u00a0b", "\u2003");
  }

  @Test
  void split_doubleQuotes_escapes() {
    assertThat(WordSplitter.split("\"\"")).containsExactly("");
    assertThat(WordSplitter.split("\"a b\" c")).containsExactly("a b", "c");
    assertThat(WordSplitter.split("\"\\n\\r\\t\\b\\a\\\\\\\"\\q\""))
        .containsExactly("\n\r\t\b\u0007\\\"q");
    assertThat(WordSplitter.split("\"\\x41\\xff\\x4g\\x4\"")).containsExactly("A\u00ffx4gx4");
  }

  @Test
  void split_singleQuotes_onlyTheQuoteIsEscaped() {
    assertThat(WordSplitter.split("'it\\'s'")).containsExactly("it's");
    assertThat(WordSplitter.split("'a\\nb'")).containsExactly("a\\nb");
    assertThat(WordSplitter.split("'a\\\\'")).isNull(); // the second backslash escapes the quote
  }

  @Test
  void split_unbalanced_null() {
    for (String line :
        List.of("\"", "'", "a \"b", "\"a\"b", "'a'b", "\"\\", "'\\", "\"\\x", "\"a\\\"")) {
      assertThat(WordSplitter.split(line)).as(line).isNull();
    }
  }

  @Test
  void split_bytes_keepsThem() {
    byte[] line = {'a', (byte) 0xff, 0, ' ', '"', '\\', 'x', 'f', 'e', '"'};
    assertThat(WordSplitter.split(line))
        .containsExactly(new byte[] {'a', (byte) 0xff, 0}, new byte[] {(byte) 0xfe});
  }

  @Test
  void split_quotedByUs_readsBack() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2000; i++) {
      byte[] word = new byte[random.nextInt(20)];
      random.nextBytes(word);
      assertThat(WordSplitter.split(new PrintBuffer().quoted(word).toByteArray()))
          .containsExactly(word);
    }
  }

  @Test
  void split_anyBytes_neverThrows() {
    SplittableRandom random = new SplittableRandom(8);
    String alphabet = "\"'\\x41 a\tn";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder();
      int length = random.nextInt(12);
      for (int j = 0; j < length; j++) {
        line.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      List<String> words = WordSplitter.split(line.toString());
      if (words != null) assertThat(String.join("", words)).hasSizeLessThanOrEqualTo(length);
    }
  }

  @Test
  void split_hugeLine_inOneGo() {
    String word = "x".repeat(4 << 20);
    assertThat(WordSplitter.split(word + " \"" + word + "\"")).containsExactly(word, word);
    assertThat(WordSplitter.split("a ".repeat(500_000))).hasSize(500_000);
  }
}
