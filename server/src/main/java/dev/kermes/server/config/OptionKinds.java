package dev.kermes.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kinds of values of the options of redis.conf, with Redis's texts for mistakes. */
final class OptionKinds {

  private OptionKinds() {}

  static Option.Kind text(Supplier<String> getter, Consumer<String> setter) {
    return kind(
        getter,
        value -> {
          setter.accept(value);
          return null;
        });
  }

  static Option.Kind yesNo(BooleanSupplier getter, Consumer<Boolean> setter) {
    return kind(
        () -> getter.getAsBoolean() ? "yes" : "no",
        value -> {
          String lower = value.toLowerCase(Locale.ROOT);
          if (!lower.equals("yes") && !lower.equals("no")) return "argument must be 'yes' or 'no'";
          setter.accept(lower.equals("yes"));
          return null;
        });
  }

  /** A value out of a list of words. */
  static Option.Kind choice(List<String> words, Supplier<String> getter, Consumer<String> setter) {
    return kind(
        getter,
        value -> {
          String lower = value.toLowerCase(Locale.ROOT);
          if (!words.contains(lower)) {
            return "argument(s) must be one of the following: " + String.join(", ", words);
          }
          setter.accept(lower);
          return null;
        });
  }

  static Option.Kind number(long min, long max, LongSupplier getter, LongConsumer setter) {
    return kind(
        () -> Long.toString(getter.getAsLong()),
        value -> {
          try {
            return setWithin(min, max, Long.parseLong(value.trim()), setter);
          } catch (NumberFormatException e) {
            return "argument couldn't be parsed into an integer";
          }
        });
  }

  /** A number of bytes, which may have a unit: {@code 64mb}. */
  static Option.Kind memory(long min, long max, LongSupplier getter, LongConsumer setter) {
    return kind(
        () -> Long.toString(getter.getAsLong()),
        value -> {
          long bytes = OutputLimits.parseMemory(value);
          if (bytes < 0) return "argument must be a memory value";
          return setWithin(min, max, bytes, setter);
        });
  }

  /**
   * A number of bytes, or a percentage such as {@code 5%}, which is stored as a negative number.
   */
  static Option.Kind memoryOrPercent(LongSupplier getter, LongConsumer setter) {
    return kind(
        () -> getter.getAsLong() < 0 ? -getter.getAsLong() + "%" : "" + getter.getAsLong(),
        value -> {
          boolean isPercent = value.endsWith("%");
          long number =
              OutputLimits.parseMemory(isPercent ? value.substring(0, value.length() - 1) : value);
          if (number < 0) return "argument must be a memory or percent value";
          if (isPercent && number > 100) return "percentage argument must be less or equal to 100";
          setter.accept(isPercent ? -number : number);
          return null;
        });
  }

  /** The way in which a signal ends the server. */
  static Option.Kind shutdown(Supplier<ShutdownMode> getter, Consumer<ShutdownMode> setter) {
    return kind(
        () -> getter.get().words(),
        value -> {
          String text = value.trim().toLowerCase(Locale.ROOT);
          List<String> words = new ArrayList<>(List.of(text.split("\\s+")));
          words.removeIf("default"::equals);
          ShutdownMode mode = ShutdownMode.of(words);
          if (mode == null) {
            return "argument(s) must be one of the following: default, save, nosave, now, force";
          }
          setter.accept(mode);
          return null;
        });
  }

  private static @Nullable String setWithin(long min, long max, long number, LongConsumer setter) {
    if (number < min || number > max) {
      return "argument must be between " + min + " and " + max + " inclusive";
    }
    setter.accept(number);
    return null;
  }

  /** Sets a value; returns the mistake in it, or null. */
  private interface Setter {
    @Nullable String set(String value);
  }

  private static Option.Kind kind(Supplier<String> getter, Setter setter) {
    return new Option.Kind() {
      @Override
      public String get() {
        return getter.get();
      }

      @Override
      public @Nullable String set(String value) {
        return setter.set(value);
      }
    };
  }
}
