package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PlainDoubleTest {

  private static double parse(String text) {
    return PlainDouble.parse(bytes("x" + text + "x"), 1, text.length());
  }

  @Test
  void parse_digitsWithAPoint_isTheNearestDouble() {
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      String digits = Long.toString(random.nextLong(1_000_000_000_000_000L));
      int point = random.nextInt(digits.length() + 1);
      String text = "-".repeat(i % 2) + digits.substring(0, point) + "." + digits.substring(point);
      assertThat(parse(text)).isEqualTo(Double.parseDouble(text));
    }
    assertThat(parse("-0")).isEqualTo(-0.0);
    assertThat(parse("17")).isEqualTo(17);
  }

  @Test
  void parse_whatIsNotPlain_isNaN() {
    for (String text :
        List.of("", "-", ".", "-.", "1e5", "inf", "1.2.3", "--1", "+1", "1234567890123456")) {
      assertThat(parse(text)).isNaN();
    }
  }
}
