package dev.kermes.server.aof;

import java.util.List;
import java.util.Locale;

/** The time at which written data are synced to the disk: {@code appendfsync}. */
public enum SyncPolicy {
  /** Before the write is acknowledged. */
  ALWAYS,
  /** Once a second. */
  EVERYSEC,
  /** Whenever the operating system decides. */
  NO;

  public static final List<String> NAMES = List.of("everysec", "always", "no");

  public static SyncPolicy named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
