package dev.kermes.bench.commands;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a command: bytes and variables, one after the other.
 *
 * <pre>
 *   m:{element}:{value}     "m:", ELEMENT, ":xxxxxxxxxxxxxxxx"
 * </pre>
 *
 * Immutable.
 */
final class Word {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z][a-z0-9]*)}");

  /** Digits, head and line ends of the longest number. */
  private static final int NUMBER_MAX = 20;

  /** Bytes, or a variable. */
  private record Part(byte[] text, @Nullable Variable variable) {}

  private final List<Part> parts = new ArrayList<>();
  private int textLength;

  Word(String text, Bindings bindings) {
    Matcher placeholder = PLACEHOLDER.matcher(text);
    int position = 0;
    while (placeholder.find()) {
      addText(latin(text.substring(position, placeholder.start())));
      addPlaceholder(placeholder.group(1), bindings);
      position = placeholder.end();
    }
    addText(latin(text.substring(position)));
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void addPlaceholder(String name, Bindings bindings) {
    Variable variable = Variable.find(name);
    if (variable == null) addText(bindings.bytes(name));
    else parts.add(new Part(new byte[0], variable));
  }

  private void addText(byte[] text) {
    if (text.length == 0) return;
    parts.add(new Part(text, null));
    textLength += text.length;
  }

  int lengthMax() {
    return textLength + NUMBER_MAX * (parts.size() + 2);
  }

  /** Writes the argument as a bulk string. */
  void put(RequestBuffer out, Numbers numbers) {
    if (parts.size() == 1 && parts.getFirst().variable() != null) {
      putNumber(out, numbers.value(parts.getFirst().variable()));
      return;
    }
    long[] drawn = numbers.drawn();
    int length = textLength;
    for (int i = 0; i < parts.size(); i++) {
      Variable variable = parts.get(i).variable();
      if (variable == null) continue;
      drawn[i] = numbers.value(variable);
      length += RequestBuffer.digits(drawn[i]);
    }
    out.putHead('$', length);
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.variable() == null) out.put(part.text());
      else out.putNumber(drawn[i]);
    }
    out.putLine();
  }

  private static void putNumber(RequestBuffer out, long number) {
    out.putHead('$', RequestBuffer.digits(number));
    out.putNumber(number);
    out.putLine();
  }
}
