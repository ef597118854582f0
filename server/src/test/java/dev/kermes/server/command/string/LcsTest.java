package dev.kermes.server.command.string;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.server.testing.FamilyTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** LCS against the table of lengths that defines it; of several longest ones, the same as Redis. */
final class LcsTest extends FamilyTest {

  private final Random random = new Random(1);

  @Test
  void lcs_ofRandomTexts_isThatOfTheTable() throws IOException {
    for (int round = 0; round < 60; round++) {
      String a = text(1 + random.nextInt(round % 2 == 0 ? 10 : 200));
      String b = text(1 + random.nextInt(round % 3 == 0 ? 10 : 200));
      assertSame(a, b);
    }
    for (int length : new int[] {1, 63, 64, 65, 128}) assertSame(text(length), text(length));
    assertSame("x".repeat(130), "x".repeat(70));
    assertSame("x".repeat(70), "y".repeat(130));
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    int letters = 1 + random.nextInt(4);
    while (text.length() < length) text.append((char) ('a' + random.nextInt(letters)));
    return text.toString();
  }

  private void assertSame(String a, String b) throws IOException {
    int[][] lengths = lengths(a, b);
    List<String> ranges = new ArrayList<>();
    StringBuilder reversed = new StringBuilder();
    int i = a.length();
    int j = b.length();
    while (i > 0 && j > 0) {
      int endA = i - 1;
      int endB = j - 1;
      while (i > 0 && j > 0 && a.charAt(i - 1) == b.charAt(j - 1)) {
        reversed.append(a.charAt(--i));
        j--;
      }
      if (i <= endA) ranges.add("*2[*2[:" + i + ", :" + endA + "], *2[:" + j + ", :" + endB + "]]");
      else if (lengths[i - 1][j] > lengths[i][j - 1]) i--;
      else j--;
    }
    int length = lengths[a.length()][b.length()];
    assertThat(call("MSET a " + a + " b " + b)).isEqualTo("+OK");
    assertThat(call("LCS a b")).isEqualTo("$" + length + ":" + reversed.reverse());
    assertThat(call("LCS a b LEN")).isEqualTo(":" + length);
    String matches =
        ranges.isEmpty() ? "*0" : "*" + ranges.size() + "[" + String.join(", ", ranges) + "]";
    assertThat(call("LCS a b IDX"))
        .isEqualTo("*4[$7:matches, " + matches + ", $3:len, :" + length + "]");
  }

  private static int[][] lengths(String a, String b) {
    int[][] lengths = new int[a.length() + 1][b.length() + 1];
    for (int i = 1; i <= a.length(); i++) {
      for (int j = 1; j <= b.length(); j++) {
        lengths[i][j] =
            a.charAt(i - 1) == b.charAt(j - 1)
                ? lengths[i - 1][j - 1] + 1
                : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
      }
    }
    return lengths;
  }
}
