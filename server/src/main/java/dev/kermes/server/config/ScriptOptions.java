package dev.kermes.server.config;

/** The options for scripts and functions. */
public final class ScriptOptions extends OptionFamily {

  /** A quarter of the heap: scripts and functions, each with this limit, leave half to the data. */
  private static final long MEMORY = Runtime.getRuntime().maxMemory() / 4;

  public final NumberOption busyMillis =
      option("busy-reply-threshold")
          .alias("lua-time-limit")
          .in("milliseconds")
          .means("A script that runs longer is suspended, and clients get BUSY; 0 for never.")
          .number(0, Long.MAX_VALUE, 5000);

  public final NumberOption memoryMax =
      option("script-memory-limit")
          .atStartOrSame()
          .means("The largest memory of the values of scripts, and again of those of functions.")
          .unlikeRedis("Not in Redis.")
          .shownDefault("a quarter of the heap")
          .memory(1 << 20, Long.MAX_VALUE, MEMORY);

  ScriptOptions() {
    super("Scripts");
  }
}
