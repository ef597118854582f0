package dev.kermes.server.config;

/** An option whose value is a number. */
public final class NumberOption extends Option {

  private final NumberSyntax syntax;
  private long value;

  NumberOption(OptionRow row, NumberSyntax syntax, long initial) {
    super(row);
    this.syntax = syntax;
    value = initial;
  }

  public long value() {
    return value;
  }

  /** The value of an option whose range lies within that of {@code int}. */
  public int intValue() {
    return (int) value;
  }

  /** Sets the value without a check of its range. */
  public void assign(long number) {
    value = number;
  }

  @Override
  public String text() {
    return syntax.print(value);
  }

  @Override
  void parse(String text) throws InvalidValueException {
    value = syntax.parse(text);
  }

  @Override
  String shown() {
    return Option.quoted(syntax.shown(value));
  }

  @Override
  String values() {
    return syntax.values();
  }
}
