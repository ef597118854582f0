package dev.kermes.client.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of stream ids. */
class StreamIdsTest {

  @ParameterizedTest
  @CsvSource({
    "1-1, 1-1, 0",
    "1-2, 1-10, -1",
    "9-0, 10-0, -1",
    "5, 5-0, 0",
    "5, 4-18446744073709551615, 1",
    "18446744073709551615-0, 1-0, 1",
  })
  void compare_ids_asUnsignedNumbers(String first, String second, int expected) {
    assertThat(Integer.signum(StreamIds.compare(first, second))).isEqualTo(expected);
    assertThat(Integer.signum(StreamIds.compare(second, first))).isEqualTo(-expected);
  }
}
