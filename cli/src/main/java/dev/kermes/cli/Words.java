package dev.kermes.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line's words as redis-cli and redis.conf have them: quoted by {@code "} with escapes or {@code
 * '}.
 */
final class Words {

  private final String line;
  private final List<String> words = new ArrayList<>();
  private int at;

  private Words(String line) {
    this.line = line;
  }

  /**
   * The words; null if quotes are unbalanced. Characters of escapes such as {@code \xff} are bytes.
   */
  static @Nullable List<String> split(String line) {
    Words words = new Words(line);
    return words.readAll() ? words.words : null;
  }

  private boolean readAll() {
    while (true) {
      while (at < line.length() && Character.isWhitespace(line.charAt(at))) at++;
      if (at == line.length()) return true;
      if (!readWord()) return false;
    }
  }

  private boolean readWord() {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      char c = line.charAt(at++);
      if (c != '"' && c != '\'') word.append(c);
      else if (!readQuoted(c, word)) return false;
    }
    words.add(word.toString());
    return true;
  }

  private boolean readQuoted(char quote, StringBuilder word) {
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == quote) return at == line.length() || Character.isWhitespace(line.charAt(at));
      if (c == '\\' && at < line.length()) readEscape(quote, word);
      else word.append(c);
    }
    return false;
  }

  private void readEscape(char quote, StringBuilder word) {
    char c = line.charAt(at++);
    if (quote == '\'') {
      if (c != '\'') word.append('\\');
      word.append(c);
      return;
    }
    if (c == 'x' && at + 2 <= line.length()) {
      int high = Character.digit(line.charAt(at), 16);
      int low = Character.digit(line.charAt(at + 1), 16);
      if (high >= 0 && low >= 0) {
        word.append((char) (high << 4 | low));
        at += 2;
        return;
      }
    }
    word.append(
        switch (c) {
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'b' -> '\b';
          case 'a' -> '\u0007';
          default -> c;
        });
  }
}
