package dev.kermes.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Parses the compact usage syntax of the data files into an argument tree.
 *
 * <pre>
 *   usage  = item { " " item }
 *   item   = arg | "[" arg "]" [ "..." ] | "&lt;" arg "&gt;" "..."     optional; the token is repeated
 *   arg    = [ TOKEN "=" ] core { suffix }
 *   core   = TOKEN                                  a pure token: NX
 *          | name ":" TOKEN                         a pure token with a name of its own
 *          | name ":(" arg { "|" arg } ")"          one of
 *          | name ":{" usage "}"                    a block
 *          | name [ ":" type ]                      int, double, key, pattern, time; else a string
 *   suffix = "..." multiple | "#" n key spec | "^" since | "~" deprecated since | '"' display '"'
 *   TOKEN  = upper-case word | "'" any "'"
 * </pre>
 *
 * <p>An argument named {@code key} or {@code pattern} has that type without a declaration.
 */
final class UsageParser {
  private static final int DEPTH_MAX = 16;

  private final String text;
  private final String file;
  private final int line;
  private int at;
  private int depth;

  private UsageParser(String text, String file, int line) {
    this.text = text;
    this.file = file;
    this.line = line;
  }

  static List<CommandArgument> parse(String text, String file, int line) {
    UsageParser parser = new UsageParser(text, file, line);
    List<CommandArgument> arguments = text.isEmpty() ? List.of() : parser.usage();
    if (parser.at < text.length()) {
      throw parser.expected("a space or the end of the line");
    }
    return arguments;
  }

  private List<CommandArgument> usage() {
    if (++depth > DEPTH_MAX) {
      throw expected("at most " + DEPTH_MAX + " levels of nesting");
    }
    List<CommandArgument> items = new ArrayList<>();
    do {
      items.add(item());
    } while (skip(' '));
    depth--;
    return List.copyOf(items);
  }

  private CommandArgument item() {
    if (skip('[')) {
      CommandArgument inner = argument(true);
      expect(']');
      return skipDots() ? repeatToken(inner) : inner;
    }
    if (skip('<')) {
      CommandArgument inner = argument(false);
      expect('>');
      expectDots();
      return repeatToken(inner);
    }
    return argument(false);
  }

  private CommandArgument repeatToken(CommandArgument a) {
    return new CommandArgument(
        a.name(),
        a.type(),
        a.token(),
        a.display(),
        a.keySpecIndex(),
        a.since(),
        a.deprecatedSince(),
        a.optional(),
        true,
        a.token() != null,
        a.children());
  }

  private CommandArgument argument(boolean optional) {
    String token = atToken() ? token() : null;
    if (token != null && !skip('=')) {
      return suffixes(
          token.toLowerCase(Locale.ROOT), ArgumentType.PURE_TOKEN, token, optional, List.of());
    }
    String name = name();
    if (!skip(':')) {
      return suffixes(name, typeOfName(name), token, optional, List.of());
    }
    if (skip('(')) {
      return suffixes(name, ArgumentType.ONEOF, token, optional, alternatives());
    }
    if (skip('{')) {
      List<CommandArgument> parts = usage();
      expect('}');
      return suffixes(name, ArgumentType.BLOCK, token, optional, parts);
    }
    if (token == null && atToken()) {
      return suffixes(name, ArgumentType.PURE_TOKEN, token(), optional, List.of());
    }
    return suffixes(name, type(), token, optional, List.of());
  }

  private List<CommandArgument> alternatives() {
    if (++depth > DEPTH_MAX) {
      throw expected("at most " + DEPTH_MAX + " levels of nesting");
    }
    List<CommandArgument> alternatives = new ArrayList<>();
    do {
      alternatives.add(item());
    } while (skip('|'));
    expect(')');
    depth--;
    return List.copyOf(alternatives);
  }

  private CommandArgument suffixes(
      String name,
      ArgumentType type,
      @Nullable String token,
      boolean optional,
      List<CommandArgument> children) {
    boolean multiple = false;
    int keySpecIndex = type == ArgumentType.KEY ? 0 : -1;
    String since = null;
    String deprecatedSince = null;
    String display = null;
    while (true) {
      if (skipDots()) {
        multiple = true;
      } else if (skip('#')) {
        keySpecIndex = index();
      } else if (skip('^')) {
        since = version();
      } else if (skip('~')) {
        deprecatedSince = version();
      } else if (skip('"')) {
        display = until('"');
      } else {
        return new CommandArgument(
            name,
            type,
            token,
            display,
            keySpecIndex,
            since,
            deprecatedSince,
            optional,
            multiple,
            false,
            children);
      }
    }
  }

  private static ArgumentType typeOfName(String name) {
    return switch (name) {
      case "key" -> ArgumentType.KEY;
      case "pattern" -> ArgumentType.PATTERN;
      default -> ArgumentType.STRING;
    };
  }

  private ArgumentType type() {
    int start = at;
    String word = name();
    return switch (word) {
      case "int" -> ArgumentType.INTEGER;
      case "double" -> ArgumentType.DOUBLE;
      case "key" -> ArgumentType.KEY;
      case "pattern" -> ArgumentType.PATTERN;
      case "time" -> ArgumentType.UNIX_TIME;
      case "string" -> ArgumentType.STRING;
      default -> {
        at = start;
        throw expected("a type: int, double, key, pattern, time or string");
      }
    };
  }

  private boolean atToken() {
    return at < text.length() && (text.charAt(at) == '\'' || isUpper(text.charAt(at)));
  }

  private String token() {
    if (skip('\'')) {
      return until('\'');
    }
    int start = at;
    while (at < text.length() && (isUpper(text.charAt(at)) || isNameTail(text.charAt(at)))) {
      at++;
    }
    return text.substring(start, at);
  }

  private String name() {
    int start = at;
    while (at < text.length() && (isLower(text.charAt(at)) || isNameTail(text.charAt(at)))) {
      at++;
    }
    if (at == start || !isLower(text.charAt(start))) {
      at = start;
      throw expected("a name in lower case");
    }
    return text.substring(start, at);
  }

  private String version() {
    int start = at;
    while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    if (at == start) {
      throw expected("a version");
    }
    return text.substring(start, at);
  }

  private int index() {
    if (at < text.length() && isDigit(text.charAt(at))) {
      return text.charAt(at++) - '0';
    }
    throw expected("the index of a key spec, 0 to 9");
  }

  private String until(char end) {
    int close = text.indexOf(end, at);
    if (close <= at) {
      throw expected("text and a closing " + end);
    }
    String inner = text.substring(at, close);
    at = close + 1;
    return inner;
  }

  private boolean skip(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private boolean skipDots() {
    if (text.startsWith("...", at)) {
      at += 3;
      return true;
    }
    return false;
  }

  private void expectDots() {
    if (!skipDots()) {
      throw expected("...");
    }
  }

  private void expect(char c) {
    if (!skip(c)) {
      throw expected(String.valueOf(c));
    }
  }

  private CommandFileException expected(String what) {
    String found = at < text.length() ? "\"" + text.substring(at) + "\"" : "the end of the line";
    return new CommandFileException(file, line, "expected " + what + ", found " + found);
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameTail(char c) {
    return isDigit(c) || c == '-';
  }
}
