package dev.kermes.lua.compile;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.NumberText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Splits bytes of source into tokens, one ahead of the parser. */
final class Lexer {

  private static final int END = -1;

  private final byte[] source;
  private final LuaString name;
  private final UnaryOperator<LuaString> interner;
  private final ByteBuilder buffer = new ByteBuilder();
  private int at;
  private int current;
  private int line = 1;
  private int lastLine = 1;

  private int token;
  private double number;
  private LuaString string = LuaString.EMPTY;

  private int aheadToken = END;
  private double aheadNumber;
  private LuaString aheadString = LuaString.EMPTY;

  /**
   * @param interner returns the shared instance of a string, if it has one
   */
  Lexer(byte[] source, LuaString name, UnaryOperator<LuaString> interner) {
    this.source = source;
    this.name = name;
    this.interner = interner;
    current = source.length == 0 ? END : source[0] & 0xff;
  }

  int token() {
    return token;
  }

  double number() {
    return number;
  }

  LuaString string() {
    return string;
  }

  int line() {
    return line;
  }

  /** The line of the token before the current one. */
  int lastLine() {
    return lastLine;
  }

  void next() {
    lastLine = line;
    if (aheadToken != END) {
      token = aheadToken;
      number = aheadNumber;
      string = aheadString;
      aheadToken = END;
    } else {
      token = scan();
    }
  }

  /** The token after the current one. */
  int peek() {
    double keptNumber = number;
    LuaString keptString = string;
    aheadToken = scan();
    aheadNumber = number;
    aheadString = string;
    number = keptNumber;
    string = keptString;
    return aheadToken;
  }

  // Errors

  /** An error at the current token. */
  LuaError syntaxError(String message) {
    return error(message, token);
  }

  LuaError error(String message, int near) {
    return error(message + " near '" + textOf(near) + "'");
  }

  LuaError error(String message) {
    String shown = new String(ChunkName.inSyntaxError(name).bytes(), StandardCharsets.ISO_8859_1);
    String text = shown + ":" + line + ": " + message;
    return new LuaError(LuaString.of(text.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private String textOf(int near) {
    boolean isText = near == Token.NAME || near == Token.STRING || near == Token.NUMBER;
    if (!isText) return Token.text(near);
    String text = new String(buffer.toByteArray(), StandardCharsets.ISO_8859_1);
    int zero = text.indexOf('\0');
    return zero < 0 ? text : text.substring(0, zero);
  }

  // Characters

  private void advance() {
    at++;
    current = at < source.length ? source[at] & 0xff : END;
  }

  private void keep() {
    buffer.add(current);
    advance();
  }

  private boolean isNewline() {
    return current == '\n' || current == '\r';
  }

  private void skipNewline() {
    int first = current;
    advance();
    if (isNewline() && current != first) advance();
    line++;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  // Tokens

  private int scan() {
    buffer.clear();
    for (; ; ) {
      switch (current) {
        case END:
          return Token.END_OF_FILE;
        case '\n', '\r':
          skipNewline();
          continue;
        case ' ', '\t', 11, '\f':
          advance();
          continue;
        case '-':
          advance();
          if (current != '-') return '-';
          skipComment();
          continue;
        default:
          return scanSign();
      }
    }
  }

  private int scanSign() {
    if (isLetter(current)) return scanName();
    if (isDigit(current)) return scanNumber();
    return switch (current) {
      case '[' -> scanBracket();
      case '=' -> oneOrTwo('=', Token.EQ);
      case '<' -> oneOrTwo('<', Token.LE);
      case '>' -> oneOrTwo('>', Token.GE);
      case '~' -> oneOrTwo('~', Token.NE);
      case '"', '\'' -> scanString();
      case '.' -> scanDots();
      default -> {
        int sign = current;
        advance();
        yield sign;
      }
    };
  }

  private int oneOrTwo(int sign, int withEquals) {
    advance();
    if (current != '=') return sign;
    advance();
    return withEquals;
  }

  private int scanName() {
    int start = at;
    while (isLetter(current) || isDigit(current)) keep();
    LuaString word = LuaString.of(Arrays.copyOfRange(source, start, at));
    Integer reserved = Token.reserved(word);
    if (reserved != null) return reserved;
    string = interner.apply(word);
    return Token.NAME;
  }

  private int scanDots() {
    keep();
    if (current != '.') return isDigit(current) ? scanNumber() : '.';
    keep();
    if (current != '.') return Token.CONCAT;
    keep();
    return Token.DOTS;
  }

  private int scanNumber() {
    while (isDigit(current) || current == '.') keep();
    if (current == 'e' || current == 'E') {
      keep();
      if (current == '+' || current == '-') keep();
    }
    while (isLetter(current) || isDigit(current)) keep();
    Double value = NumberText.parse(buffer.toByteArray());
    if (value == null) throw error("malformed number", Token.NUMBER);
    number = value;
    return Token.NUMBER;
  }

  private void skipComment() {
    advance();
    if (current == '[') {
      int level = skipSeparator();
      buffer.clear();
      if (level >= 0) {
        scanLong(level, true);
        buffer.clear();
        return;
      }
    }
    while (!isNewline() && current != END) advance();
    buffer.clear();
  }

  // Strings

  private int scanBracket() {
    int level = skipSeparator();
    if (level >= 0) {
      scanLong(level, false);
      return Token.STRING;
    }
    if (level == -1) return '[';
    throw error("invalid long string delimiter", Token.STRING);
  }

  /**
   * Reads {@code [==} or {@code ]==}: returns the number of equal signs, if the same bracket
   * follows.
   */
  private int skipSeparator() {
    int bracket = current;
    keep();
    int count = 0;
    while (current == '=') {
      keep();
      count++;
    }
    return current == bracket ? count : -count - 1;
  }

  private void scanLong(int level, boolean isComment) {
    keep();
    if (isNewline()) skipNewline();
    for (; ; ) {
      switch (current) {
        case END -> {
          String what = isComment ? "unfinished long comment" : "unfinished long string";
          throw error(what, Token.END_OF_FILE);
        }
        case '[' -> openNested(level);
        case ']' -> {
          if (skipSeparator() != level) continue;
          keep();
          if (!isComment) string = interner.apply(buffer.slice(2 + level, 2 + level));
          return;
        }
        case '\n', '\r' -> {
          buffer.add('\n');
          skipNewline();
        }
        default -> keep();
      }
    }
  }

  private void openNested(int level) {
    if (skipSeparator() != level) return;
    keep();
    if (level == 0) throw error("nesting of [[...]] is deprecated", '[');
  }

  private int scanString() {
    int quote = current;
    keep();
    while (current != quote) {
      if (current == END) throw error("unfinished string", Token.END_OF_FILE);
      if (isNewline()) throw error("unfinished string", Token.STRING);
      if (current == '\\') scanEscape();
      else keep();
    }
    keep();
    string = interner.apply(buffer.slice(1, 1));
    return Token.STRING;
  }

  private void scanEscape() {
    advance();
    if (current == END) return; // a syntax error of the string
    if (isNewline()) {
      buffer.add('\n');
      skipNewline();
    } else if (isDigit(current)) {
      scanDecimalEscape();
    } else {
      buffer.add(escaped(current));
      advance();
    }
  }

  private static int escaped(int c) {
    return switch (c) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 11;
      default -> c;
    };
  }

  private void scanDecimalEscape() {
    int value = 0;
    for (int i = 0; i < 3 && isDigit(current); i++) {
      value = 10 * value + current - '0';
      advance();
    }
    if (value > 255) throw error("escape sequence too large", Token.STRING);
    buffer.add(value);
  }
}
