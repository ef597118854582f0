package dev.kermes.server.data.pattern;

import java.util.Arrays;

/**
 * POSIX extended regular expressions on bytes, with {@code \w \d \s \b \xHH} and the like, without
 * back references. A search reads the text once and follows all possible states of the expression
 * at the same time, so that no pattern takes more than O(pattern x text). Immutable except for the
 * lists of states: for one thread at a time.
 *
 * <pre>
 *   a(b|c)*   0 SET a   1 SPLIT 2 6   2 SPLIT 3 5   3 SET b   4 JUMP 1 ...
 * </pre>
 */
public final class ExtendedRegex {

  /** The kind of an instruction; SPLIT and JUMP continue without input, SET takes a byte. */
  enum Op {
    SET,
    SPLIT,
    JUMP,
    BEGIN,
    END,
    WORD_BOUNDARY,
    NO_WORD_BOUNDARY,
    MATCH
  }

  /**
   * One instruction: its successor, the second successor of a SPLIT, and the bytes that a SET
   * takes.
   */
  record Instruction(Op op, int next, int other, long[] set) {}

  private final Instruction[] program;

  /** The states before the current byte, each once. */
  private int[] states;

  private int[] nextStates;
  private int[] stack;

  /** The position at which each state was added last. */
  private final int[] addedAt;

  private int stateCount;

  /**
   * Compiles a pattern.
   *
   * @throws RegexSyntaxException if the pattern is malformed
   */
  public ExtendedRegex(byte[] pattern, boolean ignoresCase) throws RegexSyntaxException {
    program = RegexCompiler.compile(pattern, ignoresCase);
    states = new int[program.length];
    nextStates = new int[program.length];
    stack = new int[2 * program.length + 1];
    addedAt = new int[program.length];
  }

  /** Whether the expression matches anywhere in the text. */
  public boolean find(byte[] text, int offset, int length) {
    Arrays.fill(addedAt, -1);
    stateCount = 0;
    for (int at = 0; at <= length; at++) {
      if (add(0, text, offset, length, at)) return true;
      if (at == length) break;
      int b = text[offset + at] & 0xff;
      int[] before = states;
      int beforeCount = stateCount;
      states = nextStates;
      nextStates = before;
      stateCount = 0;
      for (int i = 0; i < beforeCount; i++) {
        Instruction instruction = program[before[i]];
        boolean takes = (instruction.set[b >> 6] & 1L << b) != 0;
        if (takes && add(instruction.next, text, offset, length, at + 1)) return true;
      }
    }
    return false;
  }

  /** Adds the states that can be reached from a state without taking a byte; true for a match. */
  private boolean add(int state, byte[] text, int offset, int length, int at) {
    int depth = 0;
    stack[depth++] = state;
    while (depth > 0) {
      int current = stack[--depth];
      if (addedAt[current] == at) continue;
      addedAt[current] = at;
      Instruction instruction = program[current];
      switch (instruction.op) {
        case MATCH -> {
          return true;
        }
        case SET -> states[stateCount++] = current;
        case SPLIT -> {
          stack[depth++] = instruction.other;
          stack[depth++] = instruction.next;
        }
        case JUMP -> stack[depth++] = instruction.next;
        default -> {
          if (holds(instruction.op, text, offset, length, at)) stack[depth++] = instruction.next;
        }
      }
    }
    return false;
  }

  private static boolean holds(Op assertion, byte[] text, int offset, int length, int at) {
    boolean isBoundary =
        (at > 0 && isWord(text[offset + at - 1])) != (at < length && isWord(text[offset + at]));
    return switch (assertion) {
      case BEGIN -> at == 0;
      case END -> at == length;
      case WORD_BOUNDARY -> isBoundary;
      default -> !isBoundary;
    };
  }

  static boolean isWord(int b) {
    return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_';
  }
}
