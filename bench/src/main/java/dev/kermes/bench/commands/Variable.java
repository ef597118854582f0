package dev.kermes.bench.commands;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A number in a command that differs from request to request; written {@code {name}}. */
enum Variable {
  /** A key's number. */
  KEY,
  /** Another number of a key. */
  KEY2,
  /** The number of an element, below the count; in a group another one for each repetition. */
  ELEMENT,
  /** Another number of an element. */
  ELEMENT2,
  /** The repetition of a group, or of a line of a data set, from 0 on. */
  INDEX,
  /** A number below a million, another one at each place. */
  RANDOM,
  /** The number of a bit of a value. */
  BIT,
  /** The number of the cycle, from 2 on. */
  NEXT,
  /** The number of the connection. */
  CONNECTION;

  /** Returns the placeholder. */
  String placeholder() {
    return "{" + name().toLowerCase(Locale.ROOT) + "}";
  }

  static @Nullable Variable find(String name) {
    for (Variable variable : values()) {
      if (variable.name().toLowerCase(Locale.ROOT).equals(name)) return variable;
    }
    return null;
  }
}
