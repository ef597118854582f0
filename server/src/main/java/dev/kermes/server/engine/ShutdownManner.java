package dev.kermes.server.engine;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How a server is to end.
 *
 * @param saving whether it saves its data
 * @param isNow whether it leaves replicas behind that have not everything
 * @param isForced whether it ends even if the data cannot be saved
 */
public record ShutdownManner(Saving saving, boolean isNow, boolean isForced) {

  /** Whether the data are saved. */
  public enum Saving {
    /** If there are save points. */
    AT_SAVE_POINTS,
    ALWAYS,
    NEVER
  }

  /** What SHUTDOWN does without further words. */
  public static final ShutdownManner DEFAULT =
      new ShutdownManner(Saving.AT_SAVE_POINTS, false, false);

  /** Without anything that could hold it up. */
  public static final ShutdownManner AT_ONCE =
      new ShutdownManner(Saving.AT_SAVE_POINTS, true, true);

  ShutdownManner withoutSaving() {
    return new ShutdownManner(Saving.NEVER, isNow, isForced);
  }

  /** The value of {@code shutdown-on-sigterm}: words of SHUTDOWN, or {@code default}. */
  String words() {
    StringJoiner words = new StringJoiner(" ").setEmptyValue("default");
    if (saving == Saving.ALWAYS) words.add("save");
    if (saving == Saving.NEVER) words.add("nosave");
    if (isNow) words.add("now");
    if (isForced) words.add("force");
    return words.toString();
  }

  /** The manner that words mean; null if there is another word, or they contradict each other. */
  static @Nullable ShutdownManner of(String text) {
    List<String> words = List.of(text.trim().toLowerCase(Locale.ROOT).split("\\s+"));
    boolean areKnown = List.of("default", "save", "nosave", "now", "force").containsAll(words);
    if (!areKnown || words.contains("save") && words.contains("nosave")) return null;
    return new ShutdownManner(
        words.contains("save")
            ? Saving.ALWAYS
            : words.contains("nosave") ? Saving.NEVER : Saving.AT_SAVE_POINTS,
        words.contains("now"),
        words.contains("force"));
  }
}
