package dev.kermes.server.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * client-output-buffer-limit: the unread output that a client of each class may have before it is
 * closed; at once beyond the hard limit, after some seconds beyond the soft one. 0 is no limit.
 */
public final class OutputLimits implements Option.Kind {

  /** 16 KiB: always allowed, whatever the limit; Redis has an output buffer of this size anyway. */
  private static final long ALWAYS_ALLOWED = 16 * 1024;

  /** Limits of one class of clients, in bytes and seconds. */
  public record Limit(long hard, long soft, long softSeconds) {

    public boolean isOverHard(long bytes) {
      return hard > 0 && bytes > Math.max(hard, ALWAYS_ALLOWED);
    }

    public boolean isOverSoft(long bytes) {
      return soft > 0 && bytes > Math.max(soft, ALWAYS_ALLOWED);
    }
  }

  /** 1 KiB beyond what is always allowed, as Redis does since CVE-2025-21605. */
  private static final Limit UNAUTHENTICATED = new Limit(ALWAYS_ALLOWED + 1024, 0, 0);

  /** The classes of clients. All but the last have an option. */
  public enum ClientClass {
    NORMAL,
    REPLICA,
    PUBSUB,
    /** A client that has not logged in; a small fixed limit keeps it from exhausting memory. */
    UNAUTHENTICATED
  }

  /** The words of the option, in the order of {@link ClientClass}. */
  private static final String[] CLASSES = {"normal", "slave", "pubsub"};

  private final Limit[] limits = {
    new Limit(0, 0, 0), new Limit(256L << 20, 64L << 20, 60), new Limit(32L << 20, 8L << 20, 60)
  };

  /** The limit of the clients of one class. */
  public Limit of(ClientClass clients) {
    return clients == ClientClass.UNAUTHENTICATED ? UNAUTHENTICATED : limits[clients.ordinal()];
  }

  @Override
  public String get() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < CLASSES.length; i++) {
      if (i > 0) text.append(' ');
      Limit limit = limits[i];
      text.append(CLASSES[i]).append(' ').append(limit.hard()).append(' ');
      text.append(limit.soft()).append(' ').append(limit.softSeconds());
    }
    return text.toString();
  }

  @Override
  public @Nullable String set(String text) {
    String[] words = text.trim().split("\\s+");
    if (words.length % 4 != 0) return "Wrong number of arguments in buffer limit configuration.";
    Limit[] changed = limits.clone();
    for (int i = 0; i < words.length; i += 4) {
      int index = indexOf(words[i]);
      if (index < 0) return "Invalid client class specified in buffer limit configuration.";
      long hard = parseMemory(words[i + 1]);
      long soft = parseMemory(words[i + 2]);
      long seconds = parseMemory(words[i + 3]);
      if (hard < 0 || soft < 0 || seconds < 0) {
        return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
      }
      changed[index] = new Limit(hard, soft, seconds);
    }
    System.arraycopy(changed, 0, limits, 0, limits.length);
    return null;
  }

  private static int indexOf(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("replica")) return 1;
    for (int i = 0; i < CLASSES.length; i++) if (CLASSES[i].equals(lower)) return i;
    return -1;
  }

  /** The bytes of a text such as {@code 100}, {@code 64mb} or {@code 1g}; -1 if it is malformed. */
  public static long parseMemory(String text) {
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
}
