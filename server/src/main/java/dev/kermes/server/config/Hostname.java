package dev.kermes.server.config;

/** The syntax of an option whose value is a host name, or empty. */
record Hostname() implements Syntax<String> {

  /** As in Redis. */
  private static final int LENGTH_MAX = 255;

  @Override
  public String parse(String text, String present) throws InvalidValueException {
    if (text.length() > LENGTH_MAX) {
      throw new InvalidValueException("Hostnames must be less than 256 characters");
    }
    if (!text.matches("[A-Za-z0-9.-]*")) {
      throw new InvalidValueException(
          "Hostnames may only contain alphanumeric characters, hyphens or dots");
    }
    return text;
  }

  @Override
  public String print(String value) {
    return value;
  }

  @Override
  public String values() {
    return "text";
  }
}
