package dev.kermes.http.internal.syntax;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;

/** Formats and parses dates of header fields, in whole seconds of UTC; RFC 9110, 5.6.7. */
public final class HttpDates {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter RFC_850 =
      new DateTimeFormatterBuilder()
          .appendPattern("EEEE, dd-MMM-")
          .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
          .appendPattern(" HH:mm:ss 'GMT'")
          .toFormatter(Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** The result of {@link #parse} for text that is not a date. */
  public static final long NONE = Long.MIN_VALUE;

  private record Now(long second, String text, byte[] line) {}

  private static volatile Now now = new Now(-1, "", new byte[0]);

  private HttpDates() {}

  public static String format(long epochSecond) {
    return FORMAT.format(Instant.ofEpochSecond(epochSecond));
  }

  /** Seconds since 1970 of a date in one of the three formats, or {@link #NONE}. */
  public static long parse(String text) {
    int comma = text.indexOf(',');
    if (comma < 0) return parse(text, ASCTIME);
    return comma == 3 ? parse(text, FORMAT) : parse(text, RFC_850);
  }

  private static long parse(String text, DateTimeFormatter form) {
    try {
      return ZonedDateTime.parse(text, form).toEpochSecond();
    } catch (DateTimeParseException e) {
      return NONE;
    }
  }

  /** The line {@code date: …\r\n} of the current second; must not be modified. */
  public static byte[] line() {
    return present().line;
  }

  /** The current second as text. */
  public static String now() {
    return present().text;
  }

  private static Now present() {
    long second = System.currentTimeMillis() / 1000;
    Now known = now;
    if (known.second != second) {
      String text = format(second);
      known = new Now(second, text, Ascii.bytes("date: " + text + "\r\n"));
      now = known;
    }
    return known;
  }
}
