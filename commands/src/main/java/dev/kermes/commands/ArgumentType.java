package dev.kermes.commands;

/** The kind of an argument. */
public enum ArgumentType {
  STRING("string"),
  INTEGER("integer"),
  DOUBLE("double"),
  KEY("key"),
  PATTERN("pattern"),
  UNIX_TIME("unix-time"),
  PURE_TOKEN("pure-token"),
  ONEOF("oneof"),
  BLOCK("block");

  private final String label;

  ArgumentType(String label) {
    this.label = label;
  }

  /** The type as COMMAND DOCS spells it. */
  public String label() {
    return label;
  }
}
