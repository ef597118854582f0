package dev.kermes.server.data;

import static dev.kermes.server.data.Bytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LongDoubleTest {

  private static @Nullable BigDecimal parse(String text) {
    return LongDouble.parse(bytes(text), 0, text.length());
  }

  /** Numbers over a power of two of up to 18 digits have a mantissa of less than 64 bits. */
  @ParameterizedTest
  @ValueSource(
      strings = {"1", "-2.5", "0.0000152587890625", "999999999999999999", "100", "12345678.125"})
  void round_exactNumber_isTheSame(String text) {
    BigDecimal exact = new BigDecimal(text);
    assertThat(LongDouble.round(exact)).isEqualByComparingTo(exact);
    assertThat(LongDouble.format(exact)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "1.3", "12345678901234567890123", "0.00001525878906251"})
  void round_otherNumber_isTheNearestOneOf64Bits(String text) {
    BigDecimal rounded = LongDouble.round(new BigDecimal(text));
    assertThat(rounded).isNotEqualByComparingTo(new BigDecimal(text));
  }

  /** The sums are what redis-server 7.0.15 on x86-64 replies to INCRBYFLOAT. */
  @ParameterizedTest
  @CsvSource({
    "10.50, 0.1, 10.6",
    "5.0e3, 2.0e2, 5200",
    "3, 1.1, 4.1",
    "1234567.1, 0, 1234567.10000000000002274",
    "0.1, 0.2, 0.3",
    "1, -1, 0",
    "-1.5, 0.25, -1.25",
    "1e20, 1, 100000000000000000000",
    "1e-18, 0, 0",
  })
  void add_thenFormat_asRedis(String a, String b, String sum) {
    BigDecimal left = parse(a);
    BigDecimal right = parse(b);
    assertThat(left).isNotNull();
    assertThat(right).isNotNull();
    BigDecimal result = left == null || right == null ? null : LongDouble.add(left, right);
    assertThat(result == null ? null : LongDouble.format(result)).isEqualTo(sum);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 1", "1 ", "abc", "1e", "inf", "nan", "1e99999", "1e-99999", "--1"})
  void parse_whatIsNoNumber_isNull(String text) {
    assertThat(parse(text)).isNull();
  }

  @Test
  void parse_hostileExponent_isNull() {
    assertThat(parse("1e2147483647")).isNull();
    assertThat(parse("1e-2147483647")).isNull();
    assertThat(parse("9".repeat(5119))).isNull();
    assertThat(parse("1e4931")).isNotNull();
  }

  @Test
  void add_beyondTheRange_isNull() {
    BigDecimal large = parse("9e4931");
    assertThat(large).isNotNull();
    if (large != null) assertThat(LongDouble.add(large, large)).isNull();
  }
}
