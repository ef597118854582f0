package dev.kermes.server.aof;

import java.util.List;
import java.util.Locale;

/** When what was written is brought to the disk: {@code appendfsync}. */
public enum SyncPolicy {
  /** Before it is acknowledged. */
  ALWAYS,
  /** Once a second. */
  EVERYSEC,
  /** When the system likes. */
  NO;

  public static final List<String> NAMES = List.of("everysec", "always", "no");

  public static SyncPolicy named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
