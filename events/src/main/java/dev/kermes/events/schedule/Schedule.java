package dev.kermes.events.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a recurring event is due, for {@code RedisEvents.schedule}. The same question
 * must always have the same answer, in each member: do not count from when the program started.
 */
@FunctionalInterface
public interface Schedule {

  /**
   * The first time after the given one, to the millisecond; null if there is none. One that counts
   * from the given time, {@code last -> last.plusSeconds(60)}, begins when it is first scheduled.
   */
  @Nullable Instant next(Instant after);

  /**
   * The times of a line of cron: minute, hour, day of month, month and day of week. A field is
   * {@code *}, a number, a range {@code 1-5}, any of them with a step {@code *}{@code /15}, or a
   * list of these with commas. Months and days of the week have names, too, as {@code JAN} and
   * {@code MON}; Sunday is 0 or 7. If both days are restricted, one of them is enough.
   *
   * <p>With given hours, a time of day that the zone leaves out in spring is due when the gap has
   * passed, and one that it has twice in autumn is due once. With {@code *} hours, time simply
   * passes.
   *
   * @throws IllegalArgumentException if the line is wrong, or if there is no such day
   */
  static Schedule cron(String line, ZoneId zone) {
    return Cron.parse(line, zone);
  }

  /**
   * Every multiple of a period since 1970 UTC.
   *
   * @throws IllegalArgumentException if the period is less than a millisecond
   */
  static Schedule every(Duration period) {
    long millis = period.toMillis();
    if (millis < 1) throw new IllegalArgumentException("out of range: period=" + period);
    return after ->
        Instant.ofEpochMilli((Math.floorDiv(after.toEpochMilli(), millis) + 1) * millis);
  }
}
