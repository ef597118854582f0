package dev.kermes.server.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An option of the configuration by its name.
 *
 * @param isMutable whether it may be set while the server runs
 * @param isSettled whether it may then at least be set to what it is
 * @param initial its default
 */
public record Option(String name, boolean isMutable, boolean isSettled, String initial, Kind kind) {

  /** Options for tests, which are told to those alone who ask for them by name. */
  private static final Set<String> HIDDEN =
      Set.of(
          "aof-disable-auto-gc",
          "client-default-resp",
          "key-load-delay",
          "loading-process-events-interval-bytes",
          "rdb-key-save-delay");

  /** How an option reads and prints itself. */
  interface Kind {
    String get();

    /** Sets the value; returns what is wrong with it, or null. */
    @Nullable String set(String text);
  }

  /** Whether its value is the default. */
  public boolean isDefault() {
    return get().equals(initial);
  }

  /** Whether patterns do not find it. */
  public boolean isHidden() {
    return HIDDEN.contains(name);
  }

  public String get() {
    return kind.get();
  }

  public @Nullable String set(String text) {
    return kind.set(text);
  }
}
