package dev.kermes.lua.lib;

import dev.kermes.lua.LuaCall;
import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import dev.kermes.lua.LuaTable;
import dev.kermes.lua.LuaUserdata;
import dev.kermes.lua.NumberScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Decodes JSON to values. A zero byte ends the text. */
final class JsonDecoder {

  private enum Token {
    T_OBJ_BEGIN,
    T_OBJ_END,
    T_ARR_BEGIN,
    T_ARR_END,
    T_STRING,
    T_NUMBER,
    T_BOOLEAN,
    T_NULL,
    T_COLON,
    T_COMMA,
    T_END,
    T_ERROR
  }

  private final LuaCall call;
  private final CjsonLibrary settings;
  private final byte[] text;
  private int at;
  private int depth;

  private Token token = Token.T_END;
  private int tokenAt;
  private Object value = LuaUserdata.NULL;
  private String problem = "";

  JsonDecoder(LuaCall call, CjsonLibrary settings, byte[] text) {
    this.call = call;
    this.settings = settings;
    this.text = text;
  }

  Object decode() {
    if (text.length >= 2 && (text[0] == 0 || text[1] == 0)) {
      throw call.error("JSON parser does not support UTF-16 or UTF-32");
    }
    next();
    Object decoded = value();
    next();
    if (token != Token.T_END) throw unexpected("the end");
    return decoded;
  }

  private LuaError unexpected(String expected) {
    String found = token == Token.T_ERROR ? problem : token.name();
    int character = tokenAt + 1;
    return call.error(
        "Expected " + expected + " but found " + found + " at character " + character);
  }

  // Values

  private Object value() {
    return switch (token) {
      case T_STRING, T_NUMBER, T_BOOLEAN, T_NULL -> value;
      case T_OBJ_BEGIN -> object();
      case T_ARR_BEGIN -> array();
      default -> throw unexpected("value");
    };
  }

  private LuaTable descend() {
    depth++;
    if (depth > Math.min(settings.decodeDepth, CjsonLibrary.DEPTH_MAX)) {
      throw call.error("Found too many nested data structures (" + depth + ") at character " + at);
    }
    call.spend(1);
    return call.state().newTable();
  }

  private LuaTable object() {
    LuaTable table = descend();
    next();
    while (token != Token.T_OBJ_END) {
      if (token != Token.T_STRING) throw unexpected("object key string");
      Object key = value;
      next();
      if (token != Token.T_COLON) throw unexpected("colon");
      next();
      table.put(key, value());
      next();
      if (token == Token.T_OBJ_END) break;
      if (token != Token.T_COMMA) throw unexpected("comma or object end");
      next();
      if (token == Token.T_OBJ_END) throw unexpected("object key string");
    }
    depth--;
    return table;
  }

  private LuaTable array() {
    LuaTable table = descend();
    next();
    for (int i = 1; token != Token.T_ARR_END; i++) {
      table.put(i, value());
      next();
      if (token == Token.T_ARR_END) break;
      if (token != Token.T_COMMA) throw unexpected("comma or array end");
      next();
      if (token == Token.T_ARR_END) throw unexpected("value");
    }
    depth--;
    return table;
  }

  // Tokens

  private int peek(int ahead) {
    int i = at + ahead;
    return i < text.length ? text[i] & 0xff : 0;
  }

  private void next() {
    while (peek(0) == ' ' || peek(0) == '\t' || peek(0) == '\n' || peek(0) == '\r') at++;
    tokenAt = at;
    token = single(peek(0));
    if (token != Token.T_ERROR) {
      if (token != Token.T_END) at++;
      return;
    }
    switch (peek(0)) {
      case '"' -> string();
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> word();
    }
  }

  private static Token single(int c) {
    return switch (c) {
      case '{' -> Token.T_OBJ_BEGIN;
      case '}' -> Token.T_OBJ_END;
      case '[' -> Token.T_ARR_BEGIN;
      case ']' -> Token.T_ARR_END;
      case ',' -> Token.T_COMMA;
      case ':' -> Token.T_COLON;
      case 0 -> Token.T_END;
      default -> Token.T_ERROR;
    };
  }

  private void found(Token kind, Object decoded) {
    token = kind;
    value = decoded;
  }

  private void fail(String what) {
    token = Token.T_ERROR;
    tokenAt = at;
    problem = what;
  }

  private void number() {
    if (!settings.decodesInvalid && isInvalidNumber()) fail("invalid number");
    else scanNumber();
  }

  private void scanNumber() {
    int end = at;
    while (end < text.length && isNumberByte(text[end])) end++;
    NumberScanner scanner = new NumberScanner(Arrays.copyOfRange(text, at, end));
    double number = scanner.number();
    if (!scanner.isFound()) {
      fail("invalid number");
      return;
    }
    at += scanner.position();
    found(Token.T_NUMBER, number);
  }

  private static boolean isNumberByte(int b) {
    return b >= '0' && b <= '9'
        || (b | 32) >= 'a' && (b | 32) <= 'z'
        || b == '+'
        || b == '-'
        || b == '.';
  }

  /** Texts that C reads as a number although JSON does not. */
  private boolean isInvalidNumber() {
    int p = peek(0) == '-' ? 1 : 0;
    if (peek(0) == '+') return true;
    if (peek(p) == '0') {
      int c = peek(p + 1);
      return (c | 32) == 'x' || c >= '0' && c <= '9';
    }
    return peek(p) > '9' && (startsWith(p, "inf") || startsWith(p, "nan"));
  }

  private boolean startsWith(int ahead, String lowerCase) {
    for (int i = 0; i < lowerCase.length(); i++) {
      if ((peek(ahead + i) | 32) != lowerCase.charAt(i)) return false;
    }
    return true;
  }

  private boolean isWord(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (peek(i) != word.charAt(i)) return false;
    }
    at += word.length();
    return true;
  }

  private void word() {
    if (isWord("true")) found(Token.T_BOOLEAN, true);
    else if (isWord("false")) found(Token.T_BOOLEAN, false);
    else if (isWord("null")) found(Token.T_NULL, LuaUserdata.NULL);
    else if (settings.decodesInvalid && isInvalidNumber()) scanNumber();
    else fail("invalid token");
  }

  // Strings

  private void string() {
    ByteOutput out = new ByteOutput(call);
    at++;
    while (peek(0) != '"') {
      int c = peek(0);
      if (c == 0) {
        fail("unexpected end of string");
        return;
      }
      if (c == '\\') {
        String wrong = escape(out);
        if (wrong != null) {
          fail(wrong);
          return;
        }
      } else {
        out.add(c);
        at++;
      }
    }
    at++;
    found(Token.T_STRING, LuaString.of(out.toByteArray()));
  }

  /** Returns the mistake in it, or null. */
  private @Nullable String escape(ByteOutput out) {
    int c = peek(1);
    if (c == 'u') return unicode(out) ? null : "invalid unicode escape code";
    int meant =
        switch (c) {
          case '"', '\\', '/' -> c;
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          default -> -1;
        };
    if (meant < 0) return "invalid escape code";
    out.add(meant);
    at += 2;
    return null;
  }

  private boolean unicode(ByteOutput out) {
    int codePoint = hex(2);
    int length = 6;
    if (codePoint < 0) return false;
    if ((codePoint & 0xf800) == 0xd800) {
      if ((codePoint & 0x400) != 0 || peek(6) != '\\' || peek(7) != 'u') return false;
      int low = hex(8);
      if (low < 0 || (low & 0xfc00) != 0xdc00) return false;
      codePoint = Character.toCodePoint((char) codePoint, (char) low);
      length = 12;
    }
    out.add(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
    at += length;
    return true;
  }

  private int hex(int ahead) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(ahead + i), 16);
      if (digit < 0) return -1;
      value = value << 4 | digit;
    }
    return value;
  }
}
