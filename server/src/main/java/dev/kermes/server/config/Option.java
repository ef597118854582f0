package dev.kermes.server.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An option of the configuration by its name.
 *
 * @param isMutable whether it may be set while the server runs
 * @param isSettled whether it then may at least be set to its present value
 * @param initial its default
 */
public record Option(String name, boolean isMutable, boolean isSettled, String initial, Kind kind) {

  /** Options for tests, which CONFIG GET shows only by their exact names. */
  private static final Set<String> HIDDEN =
      Set.of(
          "aof-disable-auto-gc",
          "client-default-resp",
          "key-load-delay",
          "loading-process-events-interval-bytes",
          "rdb-key-save-delay");

  /** The way an option reads and prints itself. */
  interface Kind {
    String get();

    /** Sets the value; returns the mistake in it, or null. */
    @Nullable String set(String text);
  }

  /** Whether its value is the default. */
  public boolean isDefault() {
    return get().equals(initial);
  }

  /** Whether CONFIG GET with a pattern omits the option. */
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
