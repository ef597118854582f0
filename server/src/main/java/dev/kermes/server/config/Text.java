package dev.kermes.server.config;

/** The syntax of an option whose value is any text. */
record Text() implements Syntax<String> {
  @Override
  public String parse(String text, String present) {
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
