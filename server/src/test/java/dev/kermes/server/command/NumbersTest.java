package dev.kermes.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Doubles as commands read them. */
class NumbersTest {

  @Test
  void decimals_areTheNearestDouble() {
    Random random = new Random(7);
    for (int i = 0; i < 200_000; i++) {
      BigInteger digits = new BigInteger(1 + random.nextInt(64), random);
      String text = new BigDecimal(digits, random.nextInt(18)).toPlainString();
      assertReads(random.nextBoolean() ? text : "-" + text);
    }
    List.of("0", "-0", "0.0", "-0.0", "007", "5.", ".5", "-.5", "999999999999999", "1e3", "0x10p0")
        .forEach(NumbersTest::assertReads);
  }

  private static void assertReads(String text) {
    long bits = Double.doubleToRawLongBits(parse(text));
    assertThat(bits).as(text).isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
  }

  @Test
  void whatIsNoNumber_isRefused() {
    for (String text : List.of("", "-", ".", "-.", "1.2.3", "--1", "1-", "1 ", " 1", "1d", "1f")) {
      assertThat(parse(text)).as(text).isNaN();
    }
  }

  private static double parse(String text) {
    byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.US_ASCII);
    return Numbers.parseDouble(bytes, 1, text.length());
  }
}
