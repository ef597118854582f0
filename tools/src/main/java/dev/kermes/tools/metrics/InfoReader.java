package dev.kermes.tools.metrics;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reads the text of INFO: {@code name:value} lines, some with values of {@code name=value,...}. */
final class InfoReader {

  private InfoReader() {}

  /** Hands over each name and its value, in the order of the text. */
  static void read(String text, BiConsumer<String, String> fields) {
    for (String line : text.split("\r\n")) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.charAt(0) != '#') {
        fields.accept(line.substring(0, colon), line.substring(colon + 1));
      }
    }
  }

  /** Splits {@code keys=2,expires=1}; parts without {@code =} are left out. */
  static Map<String, String> parts(String value) {
    Map<String, String> parts = new LinkedHashMap<>();
    Arrays.stream(value.split(","))
        .map(part -> part.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> parts.put(pair[0], pair[1]));
    return parts;
  }
}
