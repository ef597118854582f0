package dev.kermes.server.config;

/** The textual form of the values of a {@link ValueOption}. */
interface Syntax<T> {

  /**
   * The value that a text names.
   *
   * @param present the value until now, for a text that gives only a part of the new one
   */
  T parse(String text, T present) throws InvalidValueException;

  /** The text that {@link #parse} reads as {@code value}. */
  String print(T value);

  /** The possible values, for the documentation. */
  String values();
}
