package dev.kermes.commands;

import dev.kermes.commands.ReplyShape.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses the reply lines of a row: {@code list<bulk>}, {@code bulk?}, {@code list<bulk> with
 * count}.
 */
final class ReplyParser {
  private static final String WITH = " with ";
  private static final int DEPTH_MAX = 8;

  private final CommandRow row;
  private final String text;
  private int at;
  private int depth;

  private ReplyParser(CommandRow row, String text) {
    this.row = row;
    this.text = text;
  }

  /** The shape without options. */
  static ReplyShape base(CommandRow row) {
    for (String reply : row.replies) {
      if (!reply.contains(WITH)) {
        return new ReplyParser(row, reply).whole();
      }
    }
    throw row.wrong("expected a reply line without \"with\"");
  }

  static List<ReplyShape.Variant> variants(CommandRow row) {
    List<ReplyShape.Variant> variants = new ArrayList<>();
    for (String reply : row.replies) {
      int with = reply.indexOf(WITH);
      if (with >= 0) {
        String argument = reply.substring(with + WITH.length()).trim();
        ReplyShape shape = new ReplyParser(row, reply.substring(0, with)).whole();
        variants.add(new ReplyShape.Variant(argument, shape));
      }
    }
    return List.copyOf(variants);
  }

  private ReplyShape whole() {
    ReplyShape shape = shape();
    if (at < text.length()) {
      throw wrong("expected the end of the reply shape");
    }
    return shape;
  }

  private ReplyShape shape() {
    if (++depth > DEPTH_MAX) {
      throw wrong("expected at most " + DEPTH_MAX + " levels of nesting");
    }
    Kind kind = kind();
    List<ReplyShape> elements = new ArrayList<>();
    for (int i = 0; i < kind.elementCount; i++) {
      expect(i == 0 ? '<' : ',');
      elements.add(shape());
    }
    if (kind.elementCount > 0) {
      expect('>');
    }
    boolean nullable = at < text.length() && text.charAt(at) == '?';
    at += nullable ? 1 : 0;
    depth--;
    return new ReplyShape(kind, List.copyOf(elements), nullable);
  }

  private Kind kind() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z') {
      at++;
    }
    String word = text.substring(start, at);
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    at = start;
    throw wrong("expected a reply shape such as integer, bulk? or list<bulk>");
  }

  private void expect(char c) {
    if (at >= text.length() || text.charAt(at) != c) {
      throw wrong("expected " + c);
    }
    at++;
  }

  private CommandFileException wrong(String what) {
    return row.wrong(what + ", found \"" + text.substring(at) + "\" in reply \"" + text + "\"");
  }
}
