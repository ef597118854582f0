package dev.kermes.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a server is to end.
 *
 * @param saving whether it saves its data
 * @param isNow whether it does not wait for replicas that lag behind
 * @param isForced whether it ends even if the data cannot be saved
 */
public record ShutdownMode(Saving saving, boolean isNow, boolean isForced) {

  /** Whether the data are saved. */
  public enum Saving {
    /** Save if there are save points. */
    AT_SAVE_POINTS,
    ALWAYS,
    NEVER
  }

  /** The mode of SHUTDOWN without arguments. */
  public static final ShutdownMode DEFAULT = new ShutdownMode(Saving.AT_SAVE_POINTS, false, false);

  /** The mode that does not wait for replicas and ends even if saving fails. */
  public static final ShutdownMode AT_ONCE = new ShutdownMode(Saving.AT_SAVE_POINTS, true, true);

  public ShutdownMode withoutSaving() {
    return new ShutdownMode(Saving.NEVER, isNow, isForced);
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

  /** The mode for words of SHUTDOWN in lower case; null for an unknown word or a contradiction. */
  public static @Nullable ShutdownMode of(List<String> words) {
    boolean areKnown = List.of("save", "nosave", "now", "force").containsAll(words);
    if (!areKnown || words.contains("save") && words.contains("nosave")) return null;
    Saving saving = Saving.AT_SAVE_POINTS;
    if (words.contains("save")) saving = Saving.ALWAYS;
    if (words.contains("nosave")) saving = Saving.NEVER;
    return new ShutdownMode(saving, words.contains("now"), words.contains("force"));
  }

  /** The syntax of {@code shutdown-on-sigterm}. */
  record Words() implements Syntax<ShutdownMode> {
    @Override
    public ShutdownMode parse(String text, ShutdownMode present) throws InvalidValueException {
      String lower = text.trim().toLowerCase(Locale.ROOT);
      List<String> words = new ArrayList<>(List.of(lower.split("\\s+")));
      words.removeIf("default"::equals);
      ShutdownMode mode = of(words);
      if (mode != null) return mode;
      throw new InvalidValueException(
          "argument(s) must be one of the following: default, save, nosave, now, force");
    }

    @Override
    public String print(ShutdownMode value) {
      return value.words();
    }

    @Override
    public String values() {
      return "default, save, nosave, now, force";
    }
  }
}
