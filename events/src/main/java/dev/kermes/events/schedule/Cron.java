package dev.kermes.events.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A line of cron in a time zone. Each field is a set of bits; the search jumps over months, days
 * and hours that are not in it. Immutable.
 */
final class Cron implements Schedule {

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

  /** 40 years at most are between two Mondays that are a 29 February. */
  private static final int YEARS_MAX = 40;

  /** A gap of a zone is no longer than a day; the search begins this much earlier. */
  private static final int GAP_HOURS = 24;

  private final long minutes;
  private final long hours;
  private final long daysOfMonth;
  private final long months;
  private final long daysOfWeek;
  private final boolean isEitherDay;
  private final boolean isEveryHour;
  private final ZoneId zone;

  private Cron(String[] fields, ZoneId zone) {
    minutes = field(fields[0], 0, 59, List.of());
    hours = field(fields[1], 0, 23, List.of());
    daysOfMonth = field(fields[2], 1, 31, List.of());
    months = field(fields[3], 1, 12, MONTHS);
    long week = field(fields[4], 0, 7, DAYS);
    daysOfWeek = (week | week >>> 7) & 0x7f; // 7 is 0
    isEitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    isEveryHour = hours == (1L << 24) - 1;
    this.zone = zone;
  }

  static Cron parse(String line, ZoneId zone) {
    String[] fields = line.strip().split("\\s+");
    if (fields.length != 5) {
      throw new IllegalArgumentException("not five fields of cron: line=" + line);
    }
    Cron cron;
    try {
      cron = new Cron(fields, zone);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number of cron: line=" + line, e);
    }
    if (cron.next(Instant.EPOCH) == null) {
      throw new IllegalArgumentException("no such day: line=" + line);
    }
    return cron;
  }

  // ---- fields

  private static long field(String text, int min, int max, List<String> names) {
    long bits = 0;
    for (String part : text.split(",", -1)) bits |= part(part, min, max, names);
    return bits;
  }

  private static long part(String text, int min, int max, List<String> names) {
    int slash = text.indexOf('/');
    String range = slash < 0 ? text : text.substring(0, slash);
    int step = slash < 0 ? 1 : Integer.parseInt(text.substring(slash + 1));
    int dash = range.indexOf('-');
    int from = min;
    int to = max;
    if (!range.equals("*")) {
      from = number(dash < 0 ? range : range.substring(0, dash), min, names, List::indexOf);
      if (dash >= 0) to = number(range.substring(dash + 1), min, names, List::lastIndexOf);
      else if (slash < 0) to = from;
    }
    if (from < min || to > max || from > to || step < 1) {
      throw new IllegalArgumentException(
          "out of range: field=%s, min=%d, max=%d".formatted(text, min, max));
    }
    long bits = 0;
    for (int i = from; i <= to; i += step) bits |= 1L << i;
    return bits;
  }

  /** A number or a name; a range may begin and end with the name that stands at both ends. */
  private static int number(
      String text, int min, List<String> names, ToIntBiFunction<List<String>, String> indexOf) {
    int index = indexOf.applyAsInt(names, text.toUpperCase(Locale.ROOT));
    return index < 0 ? Integer.parseInt(text) : index + min;
  }

  // ---- the search

  @Override
  public @Nullable Instant next(Instant after) {
    return isEveryHour ? nextAsTimePasses(after) : nextTimeOfDay(after);
  }

  /** Minutes as they pass, so that an hour that a zone has twice counts twice. */
  private @Nullable Instant nextAsTimePasses(Instant after) {
    ZonedDateTime time = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    int lastYear = time.getYear() + YEARS_MAX;
    while (time.getYear() <= lastYear) {
      LocalDate day = time.toLocalDate();
      if (!has(day)) time = nextDay(day).atStartOfDay(zone);
      else if (has(minutes, time.getMinute())) return time.toInstant();
      else time = time.plusMinutes(1);
    }
    return null;
  }

  /** Times of day, each of which counts once. */
  private @Nullable Instant nextTimeOfDay(Instant after) {
    LocalDateTime time =
        after.atZone(zone).toLocalDateTime().truncatedTo(ChronoUnit.MINUTES).minusHours(GAP_HOURS);
    int lastYear = time.getYear() + YEARS_MAX;
    while (time.getYear() <= lastYear) {
      LocalDate day = time.toLocalDate();
      if (!has(day)) {
        time = nextDay(day).atStartOfDay();
      } else if (!has(hours, time.getHour())) {
        time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else {
        Instant found = time.atZone(zone).toInstant();
        if (has(minutes, time.getMinute()) && found.isAfter(after)) return found;
        time = time.plusMinutes(1);
      }
    }
    return null;
  }

  private boolean has(LocalDate day) {
    if (!has(months, day.getMonthValue())) return false;
    boolean isOfMonth = has(daysOfMonth, day.getDayOfMonth());
    boolean isOfWeek = has(daysOfWeek, day.getDayOfWeek().getValue() % 7);
    return isEitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
  }

  /** The next day that may be in the set: the first one of a month after one that is not. */
  private LocalDate nextDay(LocalDate day) {
    return has(months, day.getMonthValue()) ? day.plusDays(1) : day.withDayOfMonth(1).plusMonths(1);
  }

  private static boolean has(long bits, int value) {
    return (bits >>> value & 1) == 1;
  }
}
