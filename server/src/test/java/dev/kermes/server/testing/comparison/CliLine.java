package dev.kermes.server.testing.comparison;

import java.util.List;

/** A command as it is typed into redis-cli. */
public final class CliLine {

  private CliLine() {}

  /** Joins the words, quoting them where needed; each character is one byte. */
  public static String of(List<String> command) {
    return String.join(" ", command.stream().map(CliLine::word).toList());
  }

  private static String word(String word) {
    if (word.matches("[!#-&(-~]+")) return word;
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else if (c >= ' ' && c <= '~') quoted.append(c);
      else quoted.append("\\x%02x".formatted((int) c));
    }
    return quoted.append('"').toString();
  }
}
