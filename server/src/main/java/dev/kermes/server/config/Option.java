package dev.kermes.server.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An option of the configuration: a row of the table that the {@link OptionFamily families} form,
 * with its present value. CONFIG GET, SET and REWRITE, the reading of configuration files and
 * {@code docs/configuration.md} use nothing but these rows.
 */
public abstract sealed class Option permits FlagOption, NumberOption, ValueOption {

  private final OptionRow row;
  private String initial = "";
  private Runnable whenSet = () -> {};

  Option(OptionRow row) {
    this.row = row;
  }

  /** The name in redis.conf. */
  public String name() {
    return row.name;
  }

  /** Other names of the option. */
  public List<String> aliases() {
    return row.aliases;
  }

  /** A sentence about the effect of the option. */
  String meaning() {
    return row.meaning;
  }

  /** The difference from Redis; empty if there is none. */
  String difference() {
    return row.difference;
  }

  /** The possible values. */
  abstract String values();

  String unit() {
    return row.unit;
  }

  /** The value as the documentation shows it, for an option that has its default. */
  String shownDefault() {
    return row.shownDefault.isEmpty() ? "`" + shown() + "`" : row.shownDefault;
  }

  /** The value in the shortest notation. */
  String shown() {
    return quoted(text());
  }

  static String quoted(String text) {
    return text.isEmpty() ? "\"\"" : text;
  }

  /** Whether CONFIG SET may change the option. */
  public boolean isMutable() {
    return row.change == OptionRow.Change.ANY_TIME;
  }

  /** Whether CONFIG SET accepts at least the present value. */
  public boolean acceptsPresentValue() {
    return row.change != OptionRow.Change.AT_START;
  }

  /** Whether CONFIG GET with a pattern omits the option, which is for tests. */
  public boolean isHidden() {
    return row.isHidden;
  }

  /** Whether the value is the default. */
  public boolean isDefault() {
    return text().equals(initial);
  }

  /** Makes the present value the default. */
  final void becomeDefault() {
    initial = text();
  }

  /** The value in the notation of redis.conf. */
  public abstract String text();

  /** Sets the value; returns the mistake in it, or null. */
  public final @Nullable String set(String text) {
    try {
      parse(text);
    } catch (InvalidValueException e) {
      return e.getMessage();
    }
    whenSet.run();
    return null;
  }

  /** Stores the value that a text names. */
  abstract void parse(String text) throws InvalidValueException;

  /** Sets the action to run after the option has been set. */
  final void whenSet(Runnable action) {
    whenSet = action;
  }

  /** The name and the value in the notation of redis.conf. */
  @Override
  public String toString() {
    return row.name + " " + quoted(text());
  }
}
