package dev.kermes.bench.harness;

import java.util.Locale;

/** Writes JSON, commas included. */
public final class JsonWriter {

  private final StringBuilder text = new StringBuilder();
  private boolean needsComma;

  /** Opens an object or array. */
  public JsonWriter open(char bracket) {
    separate();
    text.append(bracket);
    needsComma = false;
    return this;
  }

  public JsonWriter close(char bracket) {
    text.append(bracket);
    needsComma = true;
    return this;
  }

  public JsonWriter name(String name) {
    string(name);
    text.append(':');
    needsComma = false;
    return this;
  }

  public JsonWriter field(String name, String value) {
    return name(name).string(value);
  }

  public JsonWriter field(String name, double value) {
    return name(name).number(value);
  }

  public JsonWriter string(String value) {
    separate();
    text.append('"');
    value.chars().forEach(this::character);
    text.append('"');
    return this;
  }

  private void character(int c) {
    if (c == '"' || c == '\\') text.append('\\').append((char) c);
    else if (c < ' ') text.append(String.format("\\u%04x", c));
    else text.append((char) c);
  }

  /** Writes null if the value is not finite. */
  public JsonWriter number(double value) {
    separate();
    if (!Double.isFinite(value)) text.append("null");
    else if (value == Math.rint(value) && Math.abs(value) < 1e15) text.append((long) value);
    else text.append(String.format(Locale.ROOT, "%.6g", value));
    return this;
  }

  private void separate() {
    if (needsComma) text.append(',');
    needsComma = true;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
