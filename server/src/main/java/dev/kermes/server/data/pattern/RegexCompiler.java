package dev.kermes.server.data.pattern;

import dev.kermes.server.data.pattern.ExtendedRegex.Instruction;
import dev.kermes.server.data.pattern.ExtendedRegex.Op;
import java.util.ArrayList;
import java.util.List;

/**
 * Compiles the instructions of an {@link ExtendedRegex}, by recursive descent.
 *
 * <pre>
 *   alternatives = sequence { "|" sequence }
 *   sequence     = { atom { "*" | "+" | "?" | "{" min [ "," [ max ] ] "}" } }
 *   atom         = byte | "." | "^" | "$" | "\\" escape | "[" set "]" | "(" alternatives ")"
 * </pre>
 *
 * A repetition copies the instructions of its atom as often as it has to occur.
 */
final class RegexCompiler {

  private static final long[] NO_SET = {};
  private static final int REPEAT_MAX = 255;

  /** The most instructions of a program: bounds nested repetitions. */
  private static final int PROGRAM_MAX = 20_000;

  private final byte[] pattern;
  private final boolean ignoresCase;
  private final List<Instruction> program = new ArrayList<>();
  private int at;

  private RegexCompiler(byte[] pattern, boolean ignoresCase) {
    this.pattern = pattern;
    this.ignoresCase = ignoresCase;
  }

  static Instruction[] compile(byte[] pattern, boolean ignoresCase) throws RegexSyntaxException {
    RegexCompiler compiler = new RegexCompiler(pattern, ignoresCase);
    compiler.alternatives();
    if (compiler.at < pattern.length) throw new RegexSyntaxException("Missing ')'");
    compiler.emit(Op.MATCH, NO_SET);
    return compiler.program.toArray(new Instruction[0]);
  }

  // Instructions

  private int emit(Op op, long[] set) throws RegexSyntaxException {
    int index = program.size();
    if (index == PROGRAM_MAX) throw new RegexSyntaxException("Out of memory");
    program.add(new Instruction(op, index + 1, index + 1, set));
    return index;
  }

  private void patch(int index, int next, int other) {
    program.set(index, new Instruction(program.get(index).op(), next, other, NO_SET));
  }

  // Alternatives and sequences

  private void alternatives() throws RegexSyntaxException {
    List<Integer> ends = new ArrayList<>();
    while (true) {
      // Whether there is an alternative is known only after the sequence, so the split is always
      // emitted.
      int split = emit(Op.SPLIT, NO_SET);
      sequence();
      if (at == pattern.length || pattern[at] != '|') break;
      at++;
      ends.add(emit(Op.JUMP, NO_SET));
      patch(split, split + 1, program.size());
    }
    for (int end : ends) patch(end, program.size(), program.size());
  }

  private void sequence() throws RegexSyntaxException {
    while (at < pattern.length && pattern[at] != '|' && pattern[at] != ')') {
      int start = program.size();
      atom();
      while (at < pattern.length && isRepetition(pattern[at])) repeat(start);
    }
  }

  private static boolean isRepetition(byte b) {
    return b == '*' || b == '+' || b == '?' || b == '{';
  }

  // Repetitions

  /** Repeats the instructions from {@code start} to the end of the program. */
  private void repeat(int start) throws RegexSyntaxException {
    byte kind = pattern[at++];
    int min = kind == '+' ? 1 : 0;
    int max = kind == '?' ? 1 : Integer.MAX_VALUE;
    if (kind == '{') {
      min = bound(0);
      boolean isRange = at < pattern.length && pattern[at] == ',';
      if (isRange) at++;
      max = isRange ? bound(Integer.MAX_VALUE) : min;
      if (at == pattern.length) throw new RegexSyntaxException("Missing '}'");
      if (pattern[at++] != '}' || max < min) {
        throw new RegexSyntaxException("Invalid contents of {}");
      }
    }
    if (at < pattern.length && pattern[at] == '?') at++; // lazy: makes no difference to find
    List<Instruction> body = new ArrayList<>(program.subList(start, program.size()));
    program.subList(start, program.size()).clear();
    for (int i = 0; i < min; i++) paste(body, start);
    if (max == Integer.MAX_VALUE) pasteLoop(body, start);
    else pasteOptional(body, start, max - min);
  }

  private void pasteLoop(List<Instruction> body, int origin) throws RegexSyntaxException {
    int split = emit(Op.SPLIT, NO_SET);
    paste(body, origin);
    int jump = emit(Op.JUMP, NO_SET);
    patch(jump, split, split);
    patch(split, split + 1, program.size());
  }

  private void pasteOptional(List<Instruction> body, int origin, int times)
      throws RegexSyntaxException {
    List<Integer> splits = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      splits.add(emit(Op.SPLIT, NO_SET));
      paste(body, origin);
    }
    for (int split : splits) patch(split, split + 1, program.size());
  }

  /** Appends a copy of instructions that were at {@code origin} and refer only to each other. */
  private void paste(List<Instruction> body, int origin) throws RegexSyntaxException {
    int shift = program.size() - origin;
    for (Instruction i : body) {
      int copy = emit(i.op(), i.set());
      program.set(copy, new Instruction(i.op(), i.next() + shift, i.other() + shift, i.set()));
    }
  }

  private int bound(int otherwise) throws RegexSyntaxException {
    int from = at;
    int value = 0;
    while (at < pattern.length && pattern[at] >= '0' && pattern[at] <= '9') {
      value = value * 10 + pattern[at++] - '0';
      if (value > REPEAT_MAX) throw new RegexSyntaxException("Invalid contents of {}");
    }
    return at == from ? otherwise : value;
  }

  // Atoms

  private void atom() throws RegexSyntaxException {
    byte b = pattern[at++];
    switch (b) {
      case '(' -> {
        alternatives();
        if (at == pattern.length) throw new RegexSyntaxException("Missing ')'");
        at++;
      }
      case '[' -> emit(Op.SET, new BracketParser().parse());
      case '.' -> emit(Op.SET, new long[] {-1, -1, -1, -1});
      case '^' -> emit(Op.BEGIN, NO_SET);
      case '$' -> emit(Op.END, NO_SET);
      case '\\' -> escape();
      case '*', '+', '?', '{' ->
          throw new RegexSyntaxException("Invalid use of repetition operators");
      default -> emit(Op.SET, single(b));
    }
  }

  private void escape() throws RegexSyntaxException {
    if (at == pattern.length) throw new RegexSyntaxException("Trailing backslash");
    byte b = pattern[at++];
    switch (b) {
      case 'b' -> emit(Op.WORD_BOUNDARY, NO_SET);
      case 'B' -> emit(Op.NO_WORD_BOUNDARY, NO_SET);
      case 'w', 's', 'd' -> emit(Op.SET, named(b));
      case 'W', 'S', 'D' -> emit(Op.SET, inverted(named(b + 32)));
      case 't' -> emit(Op.SET, single('\t'));
      case 'n' -> emit(Op.SET, single('\n'));
      case 'r' -> emit(Op.SET, single('\r'));
      case 'f' -> emit(Op.SET, single('\f'));
      case 'a' -> emit(Op.SET, single(7));
      case 'e' -> emit(Op.SET, single(27));
      case 'x' -> emit(Op.SET, single(hexadecimal()));
      default -> {
        if (b >= '1' && b <= '9') throw RegexSyntaxException.backReference();
        emit(Op.SET, single(b));
      }
    }
  }

  private int hexadecimal() {
    int value = 0;
    for (int i = 0; i < 2 && at < pattern.length; i++) {
      int digit = Character.digit(pattern[at], 16);
      if (digit < 0) break;
      value = value << 4 | digit;
      at++;
    }
    return value;
  }

  // Sets of bytes

  private long[] single(int b) {
    long[] set = new long[4];
    add(set, b & 0xff);
    return set;
  }

  private void add(long[] set, int b) {
    set[b >> 6] |= 1L << b;
    boolean isLetter = b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
    if (ignoresCase && isLetter) set[b >> 6] |= 1L << (b ^ 0x20);
  }

  private static long[] inverted(long[] set) {
    long[] inverted = new long[set.length];
    for (int i = 0; i < set.length; i++) inverted[i] = ~set[i];
    return inverted;
  }

  private long[] named(int letter) throws RegexSyntaxException {
    long[] set = new long[4];
    addClass(set, letter == 'w' ? "word" : letter == 's' ? "space" : "digit");
    return set;
  }

  private void addClass(long[] set, String name) throws RegexSyntaxException {
    for (int b = 0; b < 256; b++) if (isIn(name, b)) add(set, b);
  }

  private static boolean isIn(String name, int b) throws RegexSyntaxException {
    boolean isUpper = b >= 'A' && b <= 'Z';
    boolean isLower = b >= 'a' && b <= 'z';
    boolean isDigit = b >= '0' && b <= '9';
    boolean isGraphic = b > ' ' && b < 127;
    return switch (name) {
      case "alpha" -> isUpper || isLower;
      case "upper" -> isUpper;
      case "lower" -> isLower;
      case "digit" -> isDigit;
      case "alnum" -> isUpper || isLower || isDigit;
      case "word" -> ExtendedRegex.isWord(b);
      case "xdigit" -> isDigit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F';
      case "space" -> b == ' ' || b >= 9 && b <= 13;
      case "blank" -> b == ' ' || b == 9;
      case "cntrl" -> b < ' ' || b == 127;
      case "print" -> isGraphic || b == ' ';
      case "graph" -> isGraphic;
      case "punct" -> isGraphic && !isUpper && !isLower && !isDigit;
      default -> throw new RegexSyntaxException("Unknown character class name");
    };
  }

  /** The content of brackets: {@code ^}, bytes, ranges, classes. */
  private final class BracketParser {

    private final long[] set = new long[4];

    long[] parse() throws RegexSyntaxException {
      boolean isInverted = at < pattern.length && pattern[at] == '^';
      if (isInverted) at++;
      int start = at;
      while (at == start || at < pattern.length && pattern[at] != ']') member();
      if (at == pattern.length) throw new RegexSyntaxException("Missing ']'");
      at++;
      return isInverted ? inverted(set) : set;
    }

    private void member() throws RegexSyntaxException {
      if (at == pattern.length) throw new RegexSyntaxException("Missing ']'");
      boolean isSpecial = pattern[at] == '[' && at + 1 < pattern.length;
      if (isSpecial && pattern[at + 1] == ':') {
        characterClass();
      } else if (isSpecial && (pattern[at + 1] == '.' || pattern[at + 1] == '=')) {
        throw new RegexSyntaxException("Unknown collating element");
      } else {
        range();
      }
    }

    private void characterClass() throws RegexSyntaxException {
      StringBuilder name = new StringBuilder();
      at += 2;
      while (at < pattern.length && pattern[at] != ':') name.append((char) pattern[at++]);
      if (at + 1 >= pattern.length || pattern[at + 1] != ']') {
        throw new RegexSyntaxException("Unknown character class name");
      }
      at += 2;
      addClass(set, name.toString());
    }

    private void range() throws RegexSyntaxException {
      int low = pattern[at++] & 0xff;
      int high = low;
      boolean isRange = at + 1 < pattern.length && pattern[at] == '-' && pattern[at + 1] != ']';
      if (isRange) {
        high = pattern[at + 1] & 0xff;
        at += 2;
      }
      if (low > high) throw new RegexSyntaxException("Invalid character range");
      for (int b = low; b <= high; b++) add(set, b);
    }
  }
}
