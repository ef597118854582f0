package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of tokens: a single character is its own kind; words and longer signs have higher numbers.
 */
final class Token {

  static final int AND = 257;
  static final int BREAK = 258;
  static final int DO = 259;
  static final int ELSE = 260;
  static final int ELSEIF = 261;
  static final int END = 262;
  static final int FALSE = 263;
  static final int FOR = 264;
  static final int FUNCTION = 265;
  static final int IF = 266;
  static final int IN = 267;
  static final int LOCAL = 268;
  static final int NIL = 269;
  static final int NOT = 270;
  static final int OR = 271;
  static final int REPEAT = 272;
  static final int RETURN = 273;
  static final int THEN = 274;
  static final int TRUE = 275;
  static final int UNTIL = 276;
  static final int WHILE = 277;
  static final int CONCAT = 278;
  static final int DOTS = 279;
  static final int EQ = 280;
  static final int GE = 281;
  static final int LE = 282;
  static final int NE = 283;
  static final int NUMBER = 284;
  static final int NAME = 285;
  static final int STRING = 286;
  static final int END_OF_FILE = 287;

  private static final String[] TEXTS = {
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while", "..", "...", "==",
    ">=", "<=", "~=", "<number>", "<name>", "<string>", "<eof>"
  };

  private static final Map<LuaString, Integer> WORDS = words();

  private Token() {}

  private static Map<LuaString, Integer> words() {
    Map<LuaString, Integer> words = new HashMap<>();
    for (int token = AND; token <= WHILE; token++) {
      words.put(LuaString.of(TEXTS[token - AND]), token);
    }
    return words;
  }

  /** Returns the token of a word, if it is reserved. */
  static @Nullable Integer reserved(LuaString word) {
    return word.length() > 8 ? null : WORDS.get(word);
  }

  /** Returns the token as errors write it. */
  static String text(int token) {
    if (token >= AND) return TEXTS[token - AND];
    return token < 32 || token == 127 ? "char(" + token + ")" : "" + (char) token;
  }
}
