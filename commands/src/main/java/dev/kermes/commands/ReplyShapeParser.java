package dev.kermes.commands;

import dev.kermes.commands.ReplyShape.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses the reply lines of a row: {@code list<bulk>}, {@code bulk?}, {@code list<bulk> with
 * count}.
 */
final class ReplyShapeParser {
  private static final String WITH = " with ";
  private static final int DEPTH_MAX = 8;

  private final CommandRow row;
  private final String text;
  private int at;
  private int depth;

  private ReplyShapeParser(CommandRow row, String text) {
    this.row = row;
    this.text = text;
  }

  /** The shape without options. */
  static ReplyShape base(CommandRow row) {
    for (String reply : row.replies) {
      if (!reply.contains(WITH)) {
        return new ReplyShapeParser(row, reply).whole();
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
        ReplyShape shape = new ReplyShapeParser(row, reply.substring(0, with)).whole();
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
    String word = word();
    boolean isRecord = Character.isUpperCase(word.charAt(0));
    Kind kind = isRecord ? Kind.RECORD : kind(word);
    List<ReplyShape> elements = isRecord ? typeParameters() : elements(kind.elementCount);
    boolean nullable = at < text.length() && text.charAt(at) == '?';
    at += nullable ? 1 : 0;
    depth--;
    return new ReplyShape(kind, isRecord ? word : "", elements, nullable);
  }

  private List<ReplyShape> elements(int count) {
    List<ReplyShape> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expect(i == 0 ? '<' : ',');
      elements.add(shape());
    }
    if (count > 0) {
      expect('>');
    }
    return List.copyOf(elements);
  }

  /** As many elements as there are. */
  private List<ReplyShape> typeParameters() {
    List<ReplyShape> elements = new ArrayList<>();
    while (at < text.length() && text.charAt(at) == (elements.isEmpty() ? '<' : ',')) {
      at++;
      elements.add(shape());
    }
    if (!elements.isEmpty()) {
      expect('>');
    }
    return List.copyOf(elements);
  }

  private String word() {
    int start = at;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw wrong("expected a reply shape such as integer, bulk? or list<bulk>");
    }
    return text.substring(start, at);
  }

  private Kind kind(String word) {
    for (Kind kind : Kind.values()) {
      if (kind != Kind.RECORD && kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    at -= word.length();
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
