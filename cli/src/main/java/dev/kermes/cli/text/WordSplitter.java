package dev.kermes.cli.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a line into words as redis-cli and redis.conf do: quoted by {@code "} with escapes or by
 * {@code '}.
 */
public final class WordSplitter {

  private final String line;
  private final List<String> words = new ArrayList<>();
  private int at;

  private WordSplitter(String line) {
    this.line = line;
  }

  /**
   * Returns the words; null if quotes are unbalanced. Characters of escapes such as {@code \xff}
   * are bytes.
   */
  public static @Nullable List<String> split(String line) {
    WordSplitter words = new WordSplitter(line);
    return words.readAll() ? words.words : null;
  }

  /** Returns the words of a line of bytes, as bytes; null if quotes are unbalanced. */
  public static @Nullable List<byte[]> split(byte[] line) {
    List<String> words = split(new String(line, StandardCharsets.ISO_8859_1));
    if (words == null) return null;
    List<byte[]> bytes = new ArrayList<>(words.size());
    for (String word : words) bytes.add(word.getBytes(StandardCharsets.ISO_8859_1));
    return bytes;
  }

  private boolean readAll() {
    while (true) {
      while (at < line.length() && isSpace(line.charAt(at))) at++;
      if (at == line.length()) return true;
      if (!readWord()) return false;
    }
  }

  private boolean readWord() {
    StringBuilder word = new StringBuilder();
    while (at < line.length() && !isSpace(line.charAt(at))) {
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
      if (c == quote) return at == line.length() || isSpace(line.charAt(at));
      if (c != '\\' || at == line.length()) word.append(c);
      else if (quote == '"') readEscape(word);
      else word.append(line.charAt(at) == '\'' ? line.charAt(at++) : c);
    }
    return false;
  }

  /** C's isspace: Unicode's other spaces are part of a word. */
  private static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  /** Returns the character for the one after a backslash in double quotes. */
  private void readEscape(StringBuilder word) {
    char c = line.charAt(at++);
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
