package dev.kermes.server.config;

import java.util.Locale;

/** An option whose value is {@code yes} or {@code no}. */
public final class FlagOption extends Option {

  private boolean isOn;

  FlagOption(OptionRow row, boolean initial) {
    super(row);
    isOn = initial;
  }

  public boolean isOn() {
    return isOn;
  }

  @Override
  public String text() {
    return isOn ? "yes" : "no";
  }

  @Override
  void parse(String text) throws InvalidValueException {
    String lower = text.toLowerCase(Locale.ROOT);
    if (!lower.equals("yes") && !lower.equals("no")) {
      throw new InvalidValueException("argument must be 'yes' or 'no'");
    }
    isOn = lower.equals("yes");
  }

  @Override
  String values() {
    return "yes, no";
  }
}
