package dev.kermes.server.config;

import java.util.List;
import java.util.function.Function;

/**
 * The facts of an option. A row of the table begins with {@link OptionFamily#option}, says what
 * applies to the option, and ends with the kind of its values and its default:
 *
 * <pre>{@code
 * option("slowlog-max-len").means("The number of slow commands that the log keeps.").number(0, max, 128)
 * }</pre>
 */
final class OptionRow {

  /** The time at which an option may be changed. */
  enum Change {
    ANY_TIME,
    AT_START,
    /** As {@link #AT_START}, but CONFIG SET accepts the present value. */
    AT_START_OR_SAME
  }

  private final OptionFamily family;
  final String name;
  List<String> aliases = List.of();
  String meaning = "";
  String difference = "";
  String unit = "";
  String shownDefault = "";
  Change change = Change.ANY_TIME;
  boolean isHidden;

  OptionRow(OptionFamily family, String name) {
    this.family = family;
    this.name = name;
  }

  /** Other names of the option. */
  OptionRow alias(String... names) {
    aliases = List.of(names);
    return this;
  }

  /** A sentence about the effect of the option. */
  OptionRow means(String sentence) {
    meaning = sentence;
    return this;
  }

  /** A sentence about the difference from Redis. */
  OptionRow unlikeRedis(String sentence) {
    difference = sentence;
    return this;
  }

  /** The unit of a number, such as {@code seconds}. */
  OptionRow in(String units) {
    unit = units;
    return this;
  }

  /** The default as the documentation shows it, for a default that depends on the machine. */
  OptionRow shownDefault(String text) {
    shownDefault = text;
    return this;
  }

  /** The option may not be set while the server runs. */
  OptionRow atStart() {
    change = Change.AT_START;
    return this;
  }

  /** The option may, while the server runs, only be set to its present value. */
  OptionRow atStartOrSame() {
    change = Change.AT_START_OR_SAME;
    return this;
  }

  /** The option is for tests: CONFIG GET shows it by its exact name only. */
  OptionRow forTests() {
    isHidden = true;
    return this;
  }

  // The kinds of values

  FlagOption yesNo(boolean initial) {
    return family.add(new FlagOption(this, initial));
  }

  NumberOption number(long min, long max, long initial) {
    return number(new NumberSyntax.Plain(min, max), initial);
  }

  /** A number of bytes, which may have a unit: {@code 64mb}. */
  NumberOption memory(long min, long max, long initial) {
    return number(new NumberSyntax.Memory(min, max), initial);
  }

  NumberOption number(NumberSyntax syntax, long initial) {
    return family.add(new NumberOption(this, syntax, initial));
  }

  ValueOption<String> text(String initial) {
    return value(new Text(), initial);
  }

  /** One of some words. */
  ValueOption<String> choice(List<String> words, String initial) {
    return choice(words, Function.identity(), Function.identity(), initial);
  }

  /** A value that one of some words names. */
  <T> ValueOption<T> choice(
      List<String> words, Function<String, T> named, Function<T, String> nameOf, T initial) {
    return value(new Choice<>(words, named, nameOf), initial);
  }

  <T> ValueOption<T> value(Syntax<T> syntax, T initial) {
    return family.add(new ValueOption<>(this, syntax, initial));
  }
}
