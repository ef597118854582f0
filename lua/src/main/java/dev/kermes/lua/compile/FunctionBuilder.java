package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The code of one function under construction: instructions, constants, registers. */
final class FunctionBuilder {

  private static final int REGISTERS_MAX = 250;

  /** The number of constants that are found by a linear search. */
  private static final int LINEAR_CONSTANTS = 16;

  private final Lexer lexer;
  private final OperandNames names = new OperandNames();
  private final List<Prototype> functions = new ArrayList<>(2);
  private final List<@Nullable Object> constants = new ArrayList<>();
  private final Map<Object, Integer> constantIndexes = new HashMap<>();
  private long[] code = new long[16];
  private int[] lines = new int[16];
  private int size;
  private int free;
  private int registerCount = 2;

  FunctionBuilder(Lexer lexer) {
    this.lexer = lexer;
  }

  // Instructions

  int pc() {
    return size;
  }

  int emit(int op, int a, int b, int c, int line) {
    if (size == code.length) {
      code = Arrays.copyOf(code, 2 * size);
      lines = Arrays.copyOf(lines, 2 * size);
    }
    code[size] = Op.encode(op, a, b, c);
    lines[size] = line;
    return size++;
  }

  /** Sets the target of a jump. */
  void patch(int pc, int target) {
    long i = code[pc];
    code[pc] = Op.encode(Op.op(i), Op.a(i), Op.b(i), target);
  }

  /** Changes the result count of the last emitted call or {@code ...}. */
  void patchLast(int op, int b, int c) {
    long i = code[size - 1];
    code[size - 1] = Op.encode(op, Op.a(i), b, c);
  }

  int lastOp() {
    return Op.op(code[size - 1]);
  }

  int lastB() {
    return Op.b(code[size - 1]);
  }

  int lastA() {
    return Op.a(code[size - 1]);
  }

  void note(int pc, int operand, Expr expression) {
    names.note(pc, operand, expression);
  }

  // Constants

  int constant(@Nullable Object value) {
    Object key = value == null ? constants : value;
    if (value instanceof Double number) key = number + 0.0; // 0 and -0 are one constant
    if (constants.size() < LINEAR_CONSTANTS) return constantAmongFew(value, key);
    if (constantIndexes.isEmpty()) indexConstants();
    Integer known = constantIndexes.get(key);
    if (known != null) return known;
    constantIndexes.put(key, constants.size());
    constants.add(value);
    return constants.size() - 1;
  }

  private int constantAmongFew(@Nullable Object value, Object key) {
    for (int i = 0; i < constants.size(); i++) {
      if (keyOf(constants.get(i)).equals(key)) return i;
    }
    constants.add(value);
    return constants.size() - 1;
  }

  private Object keyOf(@Nullable Object value) {
    if (value == null) return constants;
    return value instanceof Double number ? (Object) (number + 0.0) : value;
  }

  private void indexConstants() {
    for (int i = 0; i < constants.size(); i++) constantIndexes.put(keyOf(constants.get(i)), i);
  }

  int function(Prototype prototype) {
    functions.add(prototype);
    return functions.size() - 1;
  }

  // Registers

  int free() {
    return free;
  }

  /** Releases all registers from one on. */
  void free(int from) {
    free = from;
  }

  int reserve(int count) {
    int first = free;
    free += count;
    if (free > REGISTERS_MAX) throw lexer.error("function or expression too complex");
    registerCount = Math.max(registerCount, free);
    return first;
  }

  /** Ensures registers beyond those in use, without reserving them. */
  void ensure(int count) {
    int kept = free;
    reserve(count);
    free = kept;
  }

  // The result

  long[] code() {
    return Arrays.copyOf(code, size);
  }

  int[] lines() {
    return Arrays.copyOf(lines, size);
  }

  @Nullable Object[] constants() {
    return constants.toArray();
  }

  double[] numbers() {
    double[] numbers = new double[constants.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (constants.get(i) instanceof Double number) numbers[i] = number;
    }
    return numbers;
  }

  Prototype[] functions() {
    return functions.toArray(new Prototype[0]);
  }

  int registerCount() {
    return registerCount;
  }

  OperandNames names() {
    return names;
  }

  static LuaString string(Expr.Constant constant) {
    return (LuaString) Objects.requireNonNull(constant.value());
  }
}
