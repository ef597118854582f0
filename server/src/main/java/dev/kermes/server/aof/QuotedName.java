package dev.kermes.server.aof;

import dev.kermes.server.data.Quoted;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file as a word of one line: as it is, or in quotes with escapes if it has blanks,
 * quotes or control characters.
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

  /** Letters beyond ASCII stay as they are. */
  private static void append(StringBuilder text, char c) {
    if (c > 127) text.append(c);
    else Quoted.append(text, c);
  }

  /** The opposite of {@link #text}. */
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
