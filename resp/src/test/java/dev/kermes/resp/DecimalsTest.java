package dev.kermes.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {

  @Test
  void put_everyMagnitude_isLikeJava() {
    Random random = new Random(7);
    for (int i = 0; i < 200_000; i++) checkPut(random.nextLong() >> random.nextInt(64));
    for (long value = -2000; value < 2000; value++) checkPut(value);
    for (long power = 1; power > 0 && power <= Long.MAX_VALUE / 10; power *= 10) {
      for (long near = -1; near <= 1; near++) {
        checkPut(power + near);
        checkPut(-power + near);
      }
    }
    checkPut(Long.MAX_VALUE);
    checkPut(Long.MIN_VALUE);
  }

  private static void checkPut(long value) {
    byte[] expected = Long.toString(value).getBytes(US_ASCII);
    byte[] out = new byte[24];
    Arrays.fill(out, (byte) '#');
    int end = Decimals.put(out, 2, value);
    assertThat(Arrays.copyOfRange(out, 2, end)).isEqualTo(expected);
    assertThat(out[1]).isEqualTo((byte) '#');
    assertThat(out[end]).isEqualTo((byte) '#');
    assertThat(Decimals.length(value)).isEqualTo(expected.length);
    assertThat(Decimals.isLong(out, 2, end - 2)).isTrue();
    assertThat(Decimals.parseLong(out, 2, end - 2)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        "01",
        "-0",
        "00",
        "-01",
        " 1",
        "1 ",
        "1.0",
        "1e3",
        "0x1",
        "abc",
        "--1",
        "1-",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "99999999999999999999",
        "-99999999999999999999",
        "100000000000000000000",
        "9223372036854775810"
      })
  void isLong_notCanonical_isFalse(String text) {
    byte[] bytes = ("1" + text + "1").getBytes(US_ASCII);
    assertThat(Decimals.isLong(bytes, 1, text.length())).isFalse();
  }

  /** The reply of redis-server 7.0.15 to ZSCORE in RESP3, or the 17 digits that it stands for. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "-3, -3",
    "1.5, 1.5",
    "0.1, 0.1",
    "3.141, 3.141",
    "1e15, 1000000000000000",
    "1e16, 10000000000000000",
    "1e17, 1e+17",
    "1.5e20, 1.5e+20",
    "1e100, 1e+100",
    "0.0001, 0.0001",
    "0.00001, 0.00001",
    "0.000001, 1e-06",
    "1.5e-7, 1.5e-07",
    "123456789.125, 123456789.125",
    "4.9E-324, 5e-324",
    "2.0E-323, 2e-323",
    "1.5E-322, 1.5e-322",
    "1.7976931348623157E308, 1.7976931348623157e+308",
    "Infinity, inf",
    "-Infinity, -inf",
    "NaN, nan",
  })
  void format_asRedisPrints(double value, String text) {
    assertThat(Decimals.format(value)).isEqualTo(text);
  }

  @Test
  void format_anyDouble_readsBackTheSame() {
    Random random = new Random(11);
    for (int i = 0; i < 100_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isNaN(value) || Double.isInfinite(value)) continue;
      assertThat(Double.parseDouble(Decimals.format(value))).isEqualTo(value);
      double small = random.nextInt(1_000_000) / 1000.0;
      assertThat(Decimals.format(small)).isEqualTo(plain(small));
    }
  }

  @Test
  void format_fraction_hasTheDigitsOfJava() {
    Random random = new Random(12);
    for (int i = 0; i < 100_000; i++) {
      double value = Math.pow(10, random.nextInt(-5, 16)) * random.nextDouble(-10, 10);
      if (value == Math.rint(value) || Math.abs(value) < 1e-5) continue;
      String digits = new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
      assertThat(Decimals.format(value)).isEqualTo(digits);
    }
  }

  private static String plain(double value) {
    String text = Double.toString(value);
    return text.endsWith(".0")
        ? text.substring(0, text.length() - 2)
        : text.contains("E") ? new BigDecimal(text).toPlainString() : text;
  }
}
