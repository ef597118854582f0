package dev.kermes.commands.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Converts the table's names to Java's: {@code unix-time-seconds} to {@code unixTimeSeconds}. */
final class JavaNames {

  /** Argument names of Redis's documentation that are reserved words of Java. */
  private static final Set<String> RESERVED =
      Set.of("boolean", "byte", "default", "double", "float", "int", "long", "new", "short");

  private JavaNames() {}

  /** {@code float} becomes {@code floatValue}. */
  static String camel(String name) {
    String pascal = pascal(name);
    String camel = Character.toLowerCase(pascal.charAt(0)) + pascal.substring(1);
    return RESERVED.contains(camel) ? camel + "Value" : camel;
  }

  /** Upper-cases the first letter of every word and leaves the others unchanged. */
  static String pascal(String name) {
    StringBuilder pascal = new StringBuilder();
    for (String word : name.split("[ _-]", -1)) {
      pascal.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return pascal.toString();
  }

  /** {@code Map<K, List<V>>} has K and {@code List<V>}. */
  static List<String> typeArguments(String type) {
    List<String> arguments = new ArrayList<>();
    int depth = 0;
    int start = type.indexOf('<') + 1;
    for (int i = start; i < type.length(); i++) {
      char c = type.charAt(i);
      if (depth == 0 && (c == ',' || c == '>')) {
        arguments.add(type.substring(start, i).strip());
        start = i + 1;
      }
      if (c == '<') depth++;
      if (c == '>') depth--;
    }
    return arguments;
  }
}
