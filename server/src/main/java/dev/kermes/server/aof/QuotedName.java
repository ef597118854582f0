package dev.kermes.server.aof;

import dev.kermes.server.data.Quoted;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file as one word of a line. A name with blanks, quotes or control characters is in
 * quotes, with escapes; any other name is unchanged.
 *
 * <pre>
 *   a.aof    "two words.aof"    "two\nlines.aof"    "\x01.aof"
 * </pre>
 */
final class QuotedName {

  private static final Pattern PLAIN = Pattern.compile("[^\\p{Cntrl}\\s\"\\\\]+");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:x([0-9a-fA-F]{2})|(.))");

  private QuotedName() {}

  static String text(String name) {
    if (PLAIN.matcher(name).matches()) return name;
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < name.length(); i++) append(text, name.charAt(i));
    return text.append('"').toString();
  }

  /** Appends a character; letters beyond ASCII are not escaped. */
  private static void append(StringBuilder text, char c) {
    if (c > 127) text.append(c);
    else Quoted.append(text, c);
  }

  /** The inverse of {@link #text}. */
  static String parse(String word) {
    if (!word.startsWith("\"")) return word;
    String inner = word.substring(1, word.length() - 1);
    return ESCAPE.matcher(inner).replaceAll(escape -> Matcher.quoteReplacement(meant(escape)));
  }

  private static String meant(MatchResult escape) {
    String code = escape.group(1);
    if (code != null) return String.valueOf((char) Integer.parseInt(code, 16));
    return switch (escape.group(2)) {
      case "n" -> "\n";
      case "r" -> "\r";
      case "t" -> "\t";
      case "a" -> "\u0007";
      case "b" -> "\b";
      default -> escape.group(2);
    };
  }
}
