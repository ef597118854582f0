package dev.kermes.server.config;

import java.util.Locale;

/** Numbers of bytes in the notation of redis.conf. */
final class MemorySize {

  private MemorySize() {}

  /** The bytes of a text such as {@code 100}, {@code 64mb} or {@code 1g}; -1 if it is malformed. */
  static long parse(String text) {
    String lower = text.trim().toLowerCase(Locale.ROOT);
    int digits = 0;
    while (digits < lower.length() && Character.isDigit(lower.charAt(digits))) digits++;
    if (digits == 0 || digits > 15) return -1;
    long factor =
        switch (lower.substring(digits)) {
          case "", "b" -> 1;
          case "k" -> 1000;
          case "kb" -> 1024;
          case "m" -> 1000_000;
          case "mb" -> 1 << 20;
          case "g" -> 1000_000_000;
          case "gb" -> 1 << 30;
          default -> -1;
        };
    return factor < 0 ? -1 : Long.parseLong(lower.substring(0, digits)) * factor;
  }

  /** The shortest text that {@link #parse} reads as {@code bytes}. */
  static String format(long bytes) {
    if (bytes == 0) return "0";
    if (bytes % (1 << 30) == 0) return (bytes >> 30) + "gb";
    if (bytes % (1 << 20) == 0) return (bytes >> 20) + "mb";
    if (bytes % (1 << 10) == 0) return (bytes >> 10) + "kb";
    return Long.toString(bytes);
  }
}
