package dev.kermes.events.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronTest {

  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<String> next(String line, ZoneId zone, String after, int count) {
    Schedule schedule = Schedule.cron(line, zone);
    List<String> times = new ArrayList<>();
    Instant time = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      time = Objects.requireNonNull(schedule.next(time));
      assertThat(schedule.next(time.minusMillis(1))).isEqualTo(time);
      times.add(LocalDateTime.ofInstant(time, UTC).toString());
    }
    return times;
  }

  @ParameterizedTest
  @CsvSource({
    "0 6 * * *,        2026-03-01T06:00, 2026-03-02T06:00",
    "*/20 5-6 * * *,   2026-03-01T05:00, 2026-03-01T05:20",
    "10/25 * * * *,    2026-03-01T00:10, 2026-03-01T00:35",
    "'1,3 0 * * *',    2026-03-01T00:01, 2026-03-01T00:03",
    "0 0 1 jan *,      2027-01-01T00:00, 2028-01-01T00:00",
    "0 0 29 2 *,       2028-02-29T00:00, 2032-02-29T00:00",
    "0 0 * * MON-fri,  2026-03-02T00:00, 2026-03-03T00:00",
    "0 0 * * sat-sun,  2026-03-07T00:00, 2026-03-08T00:00",
    "0 0 * * 7,        2026-03-08T00:00, 2026-03-15T00:00",
    "0 0 13 * 5,       2026-03-06T00:00, 2026-03-13T00:00", // either day
    "0 0 */10 * 1,     2026-05-11T00:00, 2026-06-01T00:00", // both
  })
  void next_ofALine(String line, String first, String second) {
    assertThat(next(line, UTC, "2026-03-01T00:00:30Z", 2)).containsExactly(first, second);
  }

  /** The zone has no time between 2 and 3 on 29 March, and that hour twice on 25 October. */
  @Test
  void next_whenTheClocksChange() {
    assertThat(next("30 2 * * *", BERLIN, "2026-03-28T12:00:00Z", 2))
        .containsExactly("2026-03-29T01:30", "2026-03-30T00:30");
    assertThat(next("30 2 * * *", BERLIN, "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30", "2026-10-26T01:30");
    assertThat(next("*/30 * * * *", BERLIN, "2026-03-29T00:29:00Z", 3))
        .containsExactly("2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30");
    assertThat(next("*/30 * * * *", BERLIN, "2026-10-25T00:29:00Z", 3))
        .containsExactly("2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "5-3 * * * *",
        "*/0 * * * *",
        "a * * * *",
        "1,,2 * * * *",
        "0 0 31 2 *"
      })
  void parse_ofAWrongLine_fails(String line) {
    assertThatThrownBy(() -> Schedule.cron(line, UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(out of range|no such day|not five fields|not a number).*");
  }

  @Test
  void every_countsFrom1970() {
    Schedule schedule = Schedule.every(Duration.ofMinutes(7));
    assertThat(schedule.next(Instant.EPOCH)).isEqualTo(Instant.ofEpochSecond(420));
    assertThat(schedule.next(Instant.ofEpochSecond(419))).isEqualTo(Instant.ofEpochSecond(420));
    assertThatThrownBy(() -> Schedule.every(Duration.ofNanos(1)))
        .hasMessage("out of range: period=PT0.000000001S");
  }
}
