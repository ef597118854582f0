package dev.kermes.server.config;

/** An option whose value is a text, a word out of a list, or a structure with its own syntax. */
public final class ValueOption<T> extends Option {

  private final Syntax<T> syntax;
  private T value;

  ValueOption(OptionRow row, Syntax<T> syntax, T initial) {
    super(row);
    this.syntax = syntax;
    value = initial;
  }

  public T value() {
    return value;
  }

  public void assign(T newValue) {
    value = newValue;
  }

  @Override
  public String text() {
    return syntax.print(value);
  }

  @Override
  void parse(String text) throws InvalidValueException {
    value = syntax.parse(text, value);
  }

  @Override
  String values() {
    return syntax.values();
  }
}
