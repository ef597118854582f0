package dev.kermes.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Dates of header fields, whole seconds of UTC; RFC 9110, 5.6.7. */
final class HttpDates {

  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** What {@link #parse} returns for what is no date. */
  static final long NONE = Long.MIN_VALUE;

  private record Now(long second, String text, byte[] line) {}

  private static volatile Now now = new Now(-1, "", new byte[0]);

  private HttpDates() {}

  static String format(long epochSecond) {
    return FORMAT.format(Instant.ofEpochSecond(epochSecond));
  }

  /** Seconds since 1970, or {@link #NONE}; the obsolete forms are nobody's any more. */
  static long parse(String text) {
    try {
      return ZonedDateTime.parse(text, FORMAT).toEpochSecond();
    } catch (DateTimeParseException e) {
      return NONE;
    }
  }

  /** The line {@code date: …\r\n} of this second; not to be changed. */
  static byte[] line() {
    return present().line;
  }

  /** This second. */
  static String now() {
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
