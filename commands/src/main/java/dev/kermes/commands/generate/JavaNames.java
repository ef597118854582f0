package dev.kermes.commands.generate;

/** Turns the table's names into Java's: {@code unix-time-seconds} into {@code unixTimeSeconds}. */
final class JavaNames {
  private JavaNames() {}

  static String camel(String name) {
    String pascal = pascal(name);
    return Character.toLowerCase(pascal.charAt(0)) + pascal.substring(1);
  }

  /** Upper-cases the first letter of every word and leaves the others. */
  static String pascal(String name) {
    StringBuilder pascal = new StringBuilder();
    for (String word : name.split("[ _-]", -1)) {
      pascal.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return pascal.toString();
  }
}
