package dev.kermes.server.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The syntax of an option whose value is one of some words. */
record Choice<T>(List<String> words, Function<String, T> named, Function<T, String> nameOf)
    implements Syntax<T> {

  @Override
  public T parse(String text, T present) throws InvalidValueException {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!words.contains(lower)) {
      throw new InvalidValueException(
          "argument(s) must be one of the following: " + String.join(", ", words));
    }
    return named.apply(lower);
  }

  @Override
  public String print(T value) {
    return nameOf.apply(value);
  }

  @Override
  public String values() {
    return String.join(", ", words);
  }
}
