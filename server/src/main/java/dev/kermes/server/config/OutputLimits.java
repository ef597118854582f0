package dev.kermes.server.config;

import java.util.Locale;
import java.util.StringJoiner;

/**
 * client-output-buffer-limit: the unread output that a client of each class may have before it is
 * closed: at once beyond the hard limit, or after some seconds beyond the soft one. 0 is no limit.
 * Immutable.
 */
public final class OutputLimits {

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

  static final OutputLimits DEFAULT =
      new OutputLimits(
          new Limit[] {
            new Limit(0, 0, 0),
            new Limit(256L << 20, 64L << 20, 60),
            new Limit(32L << 20, 8L << 20, 60)
          });

  private final Limit[] limits;

  private OutputLimits(Limit[] limits) {
    this.limits = limits;
  }

  /** The limit of the clients of one class. */
  public Limit of(ClientClass clients) {
    return clients == ClientClass.UNAUTHENTICATED ? UNAUTHENTICATED : limits[clients.ordinal()];
  }

  /** The syntax of the option: classes with their three limits; other classes keep theirs. */
  record Words() implements Syntax<OutputLimits> {
    @Override
    public OutputLimits parse(String text, OutputLimits present) throws InvalidValueException {
      String[] words = text.trim().split("\\s+");
      if (words.length % 4 != 0) {
        throw new InvalidValueException("Wrong number of arguments in buffer limit configuration.");
      }
      Limit[] changed = present.limits.clone();
      for (int i = 0; i < words.length; i += 4) {
        changed[indexOf(words[i])] = limit(words[i + 1], words[i + 2], words[i + 3]);
      }
      return new OutputLimits(changed);
    }

    private static int indexOf(String name) throws InvalidValueException {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.equals("replica")) return 1;
      for (int i = 0; i < CLASSES.length; i++) if (CLASSES[i].equals(lower)) return i;
      throw new InvalidValueException(
          "Invalid client class specified in buffer limit configuration.");
    }

    private static Limit limit(String hardText, String softText, String secondsText)
        throws InvalidValueException {
      long hard = MemorySize.parse(hardText);
      long soft = MemorySize.parse(softText);
      long seconds = MemorySize.parse(secondsText);
      if (hard < 0 || soft < 0 || seconds < 0) {
        throw new InvalidValueException(
            "Error in hard, soft or soft_seconds setting in buffer limit configuration.");
      }
      return new Limit(hard, soft, seconds);
    }

    @Override
    public String print(OutputLimits value) {
      StringJoiner text = new StringJoiner(" ");
      for (int i = 0; i < CLASSES.length; i++) {
        Limit limit = value.limits[i];
        text.add(CLASSES[i]).add(Long.toString(limit.hard())).add(Long.toString(limit.soft()));
        text.add(Long.toString(limit.softSeconds()));
      }
      return text.toString();
    }

    @Override
    public String values() {
      return "class, hard limit, soft limit, seconds; repeated";
    }
  }
}
