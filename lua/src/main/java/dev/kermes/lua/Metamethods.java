package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.Frame.Then;
import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Instructions with uncommon operands: other types, coercions, metamethods, errors. One that calls
 * a metamethod is completed by {@link #finish}.
 */
final class Metamethods {

  /** The limit of tables that refer to each other by {@code __index}. */
  private static final int CHAIN_MAX = 100;

  private final Interpreter interpreter;
  private final LuaState state;

  /** The number that {@link #toNumber} has just converted. */
  private double converted;

  Metamethods(Interpreter interpreter) {
    this.interpreter = interpreter;
    state = interpreter.state;
  }

  private Coroutine current() {
    return interpreter.current;
  }

  private static Prototype code(Frame frame) {
    return Objects.requireNonNull(frame.closure).code;
  }

  /** Calls a metamethod above the registers of the running function. */
  private void call(Frame frame, Object function, int arguments, Then then) {
    int at = frame.base + code(frame).registerCount;
    current().values[at] = function;
    interpreter.calls.callThroughBoundary(at, arguments, 1, then);
  }

  private void argument(Frame frame, int i, @Nullable Object value, double number) {
    current().set(frame.base + code(frame).registerCount + i, value, number);
  }

  /** Completes the instruction that waits for a metamethod's result. */
  void finish(Frame frame, @Nullable Object value, double number, boolean negated) {
    Coroutine co = current();
    long i = code(frame).code[frame.pc - 1];
    int op = Op.op(i);
    int a = frame.base + Op.a(i);
    if (op >= Op.JEQ && op <= Op.JNGEK) {
      jumpIf(frame, i, LuaValues.isTrue(value) != negated);
    } else if (op == Op.CONCAT) {
      co.set(frame.pending - 1, value, number);
      concat(frame, a, frame.base + Op.b(i), frame.pending - 1);
    } else if (op < Op.SETINDEX || op > Op.SETINT) {
      if (op != Op.SETGLOBAL) co.set(a, value, number);
    }
  }

  /** Completes a comparison: half of the comparing instructions jump if it does not hold. */
  private static void jumpIf(Frame frame, long i, boolean holds) {
    boolean jumpsIfHolds = (Op.op(i) - Op.JEQ) % 2 == 0;
    if (holds == jumpsIfHolds) frame.pc = Op.c(i);
  }

  /**
   * Executes an instruction whose operands are not those that the interpreter handles. A jump
   * changes the frame's position.
   */
  void perform(Frame frame, long i) {
    int op = Op.op(i);
    switch (op) {
      case Op.GETGLOBAL -> getGlobal(frame, i);
      case Op.SETGLOBAL -> setGlobal(frame, i);
      case Op.GETFIELD -> getField(frame, i);
      case Op.GETINT -> getInt(frame, i);
      case Op.GETINDEX -> getIndex(frame, i);
      case Op.SETINDEX -> setIndex(frame, i);
      case Op.SETFIELD -> setField(frame, i);
      case Op.SETINT -> setInt(frame, i);
      case Op.SELF -> self(frame, i);
      case Op.LEN -> length(frame, i);
      case Op.CONCAT -> concat(frame, i);
      case Op.JEQ, Op.JNE -> equal(frame, i);
      case Op.JEQK, Op.JNEK -> equalsConstant(frame, i);
      case Op.FORPREP -> prepareFor(frame, i);
      default -> {
        if (op >= Op.JLT && op <= Op.JNGEK) order(frame, i);
        else arithmetic(frame, i);
      }
    }
  }

  // Reading

  private void getGlobal(Frame frame, long i) {
    LuaTable globals = Objects.requireNonNull(frame.closure).globals;
    Object key = code(frame).constants[Op.c(i)];
    get(frame, i, globals, key, 0);
  }

  private void getField(Frame frame, long i) {
    Object key = code(frame).constants[Op.c(i)];
    get(frame, i, current().values[frame.base + Op.b(i)], key, 0);
  }

  private void getInt(Frame frame, long i) {
    get(frame, i, current().values[frame.base + Op.b(i)], NUMBER, Op.c(i));
  }

  private void getIndex(Frame frame, long i) {
    Coroutine co = current();
    int key = frame.base + Op.c(i);
    get(frame, i, co.values[frame.base + Op.b(i)], co.values[key], co.numbers[key]);
  }

  private void self(Frame frame, long i) {
    Coroutine co = current();
    int b = frame.base + Op.b(i);
    Object object = co.values[b];
    co.set(frame.base + Op.a(i) + 1, object, co.numbers[b]);
    get(frame, i, object, code(frame).constants[Op.c(i)], 0);
  }

  private void get(
      Frame frame, long i, @Nullable Object object, @Nullable Object key, double keyNumber) {
    Object holder = object;
    for (int links = 0; links < CHAIN_MAX; links++) {
      Object metamethod;
      if (holder instanceof LuaTable table) {
        int place = key == null ? -1 : table.find(key, keyNumber);
        Object value = table.objectAt(place);
        metamethod =
            value != null ? null : MetatableKeys.of(table.metatable(), MetatableKeys.INDEX);
        if (metamethod == null) {
          int a = frame.base + Op.a(i);
          current().set(a, value, value == NUMBER ? table.numberAt(place) : 0);
          return;
        }
      } else {
        metamethod = MetatableKeys.of(state.metatableOf(holder), MetatableKeys.INDEX);
        if (metamethod == null) throw operandError("index", holder, links > 0 ? -1 : 0);
      }
      if (LuaValues.isFunction(metamethod)) {
        argument(frame, 1, holder, 0);
        argument(frame, 2, key, keyNumber);
        call(frame, metamethod, 2, Then.FINISH_INSTRUCTION);
        return;
      }
      holder = metamethod;
    }
    throw interpreter.calls.runtimeError("loop in gettable");
  }

  // Writing

  private void setGlobal(Frame frame, long i) {
    LuaTable globals = Objects.requireNonNull(frame.closure).globals;
    Object key = code(frame).constants[Op.c(i)];
    set(frame, globals, key, 0, frame.base + Op.a(i));
  }

  private void setField(Frame frame, long i) {
    Object key = code(frame).constants[Op.c(i)];
    set(frame, current().values[frame.base + Op.a(i)], key, 0, frame.base + Op.b(i));
  }

  private void setInt(Frame frame, long i) {
    Object object = current().values[frame.base + Op.a(i)];
    set(frame, object, NUMBER, Op.c(i), frame.base + Op.b(i));
  }

  private void setIndex(Frame frame, long i) {
    Coroutine co = current();
    int key = frame.base + Op.b(i);
    Object object = co.values[frame.base + Op.a(i)];
    set(frame, object, co.values[key], co.numbers[key], frame.base + Op.c(i));
  }

  private void set(
      Frame frame, @Nullable Object object, @Nullable Object key, double keyNumber, int value) {
    Coroutine co = current();
    Object holder = object;
    for (int links = 0; links < CHAIN_MAX; links++) {
      Object metamethod;
      if (holder instanceof LuaTable table) {
        if (table.isReadOnly()) {
          throw interpreter.calls.runtimeError("Attempt to modify a readonly table");
        }
        int place = key == null ? -1 : table.find(key, keyNumber);
        boolean isThere = table.objectAt(place) != null;
        metamethod = isThere ? null : MetatableKeys.of(table.metatable(), MetatableKeys.NEWINDEX);
        if (metamethod == null) {
          if (place >= 0) table.setAt(place, co.values[value], co.numbers[value]);
          else insert(table, key, keyNumber, co.values[value], co.numbers[value]);
          return;
        }
      } else {
        metamethod = MetatableKeys.of(state.metatableOf(holder), MetatableKeys.NEWINDEX);
        if (metamethod == null) throw operandError("index", holder, links > 0 ? -1 : 0);
      }
      if (LuaValues.isFunction(metamethod)) {
        argument(frame, 1, holder, 0);
        argument(frame, 2, key, keyNumber);
        argument(frame, 3, co.values[value], co.numbers[value]);
        call(frame, metamethod, 3, Then.FINISH_INSTRUCTION);
        return;
      }
      holder = metamethod;
    }
    throw interpreter.calls.runtimeError("loop in settable");
  }

  private void insert(
      LuaTable table, @Nullable Object key, double keyNumber, @Nullable Object value, double n) {
    if (key == null) throw interpreter.calls.runtimeError("table index is nil");
    if (key == NUMBER && Double.isNaN(keyNumber)) {
      throw interpreter.calls.runtimeError("table index is NaN");
    }
    table.insert(key, keyNumber, value, n);
  }

  // Arithmetic

  /**
   * Converts numbers, and strings that spell one, to {@link #converted}; returns whether it
   * succeeded.
   */
  private boolean toNumber(@Nullable Object value, double number) {
    if (value == NUMBER) {
      converted = number;
      return true;
    }
    Double parsed = value instanceof LuaString string ? NumberText.parse(string) : null;
    if (parsed == null) return false;
    converted = parsed;
    return true;
  }

  private void arithmetic(Frame frame, long i) {
    Coroutine co = current();
    int op = Op.op(i);
    boolean isConstant = op >= Op.ADDK && op <= Op.POWK;
    if (isConstant) op -= Op.ADDK - Op.ADD;
    int b = frame.base + Op.b(i);
    Object x = co.values[b];
    double xNumber = co.numbers[b];
    Object y = x;
    double yNumber = xNumber;
    if (isConstant) {
      y = NUMBER;
      yNumber = code(frame).numbers[Op.c(i)];
    } else if (op != Op.UNM) {
      y = co.values[frame.base + Op.c(i)];
      yNumber = co.numbers[frame.base + Op.c(i)];
    }
    if (toNumber(x, xNumber)) {
      double left = converted;
      if (toNumber(y, yNumber)) {
        co.set(frame.base + Op.a(i), NUMBER, compute(op, left, converted));
        return;
      }
    }
    LuaString event = MetatableKeys.arithmetic(op);
    Object metamethod = binaryMetamethod(x, y, event);
    if (metamethod == null) {
      boolean isFirst = !toNumber(x, xNumber);
      throw operandError("perform arithmetic on", isFirst ? x : y, isFirst ? 0 : 1);
    }
    argument(frame, 1, x, xNumber);
    argument(frame, 2, y, yNumber);
    call(frame, metamethod, 2, Then.FINISH_INSTRUCTION);
  }

  private static double compute(int op, double x, double y) {
    return switch (op) {
      case Op.ADD -> x + y;
      case Op.SUB -> x - y;
      case Op.MUL -> x * y;
      case Op.DIV -> x / y;
      case Op.MOD -> x - Math.floor(x / y) * y;
      case Op.POW -> Math.pow(x, y);
      default -> -x;
    };
  }

  private @Nullable Object binaryMetamethod(
      @Nullable Object x, @Nullable Object y, LuaString event) {
    Object first = MetatableKeys.of(state.metatableOf(x), event);
    return first != null ? first : MetatableKeys.of(state.metatableOf(y), event);
  }

  private void length(Frame frame, long i) {
    Coroutine co = current();
    int a = frame.base + Op.a(i);
    int b = frame.base + Op.b(i);
    Object value = co.values[b];
    if (value instanceof LuaString string) {
      co.set(a, NUMBER, string.length());
    } else if (value instanceof LuaTable table) {
      co.set(a, NUMBER, table.length());
    } else {
      Object metamethod = MetatableKeys.of(state.metatableOf(value), MetatableKeys.LEN);
      if (metamethod == null) throw operandError("get length of", value, 0);
      argument(frame, 1, value, co.numbers[b]);
      call(frame, metamethod, 1, Then.FINISH_INSTRUCTION);
      return;
    }
  }

  /** Checks the three numbers of a for loop, and continues at its end. */
  private void prepareFor(Frame frame, long i) {
    int a = frame.base + Op.a(i);
    toLoopNumber(a, "initial");
    toLoopNumber(a + 1, "limit");
    toLoopNumber(a + 2, "step");
    Coroutine co = current();
    co.numbers[a] -= co.numbers[a + 2];
    frame.pc = Op.c(i);
  }

  private void toLoopNumber(int at, String what) {
    Coroutine co = current();
    if (!toNumber(co.values[at], co.numbers[at])) {
      String value = what.equals("initial") ? "initial value" : what;
      throw interpreter.calls.runtimeError("'for' " + value + " must be a number");
    }
    co.set(at, NUMBER, converted);
  }

  // Comparison

  /** Compares a string with a constant. */
  private void equalsConstant(Frame frame, long i) {
    Object value = current().values[frame.base + Op.a(i)];
    jumpIf(frame, i, Objects.equals(value, code(frame).constants[Op.b(i)]));
  }

  private void equal(Frame frame, long i) {
    Coroutine co = current();
    int a = frame.base + Op.a(i);
    int b = frame.base + Op.b(i);
    Object x = co.values[a];
    Object y = co.values[b];
    boolean isEqual = LuaValues.isEqual(x, co.numbers[a], y, co.numbers[b]);
    Object metamethod = isEqual ? null : equalityMetamethod(x, y);
    if (metamethod == null) {
      jumpIf(frame, i, isEqual);
      return;
    }
    argument(frame, 1, x, 0);
    argument(frame, 2, y, 0);
    call(frame, metamethod, 2, Then.FINISH_INSTRUCTION);
  }

  /** Tables, or userdata, which have the same metamethod. */
  private @Nullable Object equalityMetamethod(@Nullable Object x, @Nullable Object y) {
    boolean isPair =
        x instanceof LuaTable && y instanceof LuaTable
            || x instanceof LuaUserdata && y instanceof LuaUserdata;
    return isPair ? commonMetamethod(x, y, MetatableKeys.EQ) : null;
  }

  private @Nullable Object commonMetamethod(
      @Nullable Object x, @Nullable Object y, LuaString event) {
    Object first = MetatableKeys.of(state.metatableOf(x), event);
    if (first == null) return null;
    return first == MetatableKeys.of(state.metatableOf(y), event) ? first : null;
  }

  private void order(Frame frame, long i) {
    Coroutine co = current();
    int op = Op.op(i);
    int a = frame.base + Op.a(i);
    Object x = co.values[a];
    double xNumber = co.numbers[a];
    Object y = NUMBER;
    double yNumber;
    if (op < Op.JLTK) {
      y = co.values[frame.base + Op.b(i)];
      yNumber = co.numbers[frame.base + Op.b(i)];
    } else {
      yNumber = code(frame).numbers[Op.b(i)];
    }
    if (op >= Op.JGTK) order(frame, i, y, yNumber, x, xNumber);
    else order(frame, i, x, xNumber, y, yNumber);
  }

  private void order(
      Frame frame, long i, @Nullable Object x, double xn, @Nullable Object y, double yn) {
    boolean orEqual = (Op.op(i) - Op.JLT & 2) != 0;
    if (x instanceof LuaString s && y instanceof LuaString t) {
      int order = s.compareTo(t);
      jumpIf(frame, i, orEqual ? order <= 0 : order < 0);
      return;
    }
    boolean sameType = LuaValues.typeName(x).equals(LuaValues.typeName(y));
    Object less =
        sameType ? commonMetamethod(x, y, orEqual ? MetatableKeys.LE : MetatableKeys.LT) : null;
    boolean isSwapped = sameType && less == null && orEqual;
    if (isSwapped) less = commonMetamethod(x, y, MetatableKeys.LT);
    if (less == null) throw orderError(x, y);
    argument(frame, 1, isSwapped ? y : x, isSwapped ? yn : xn);
    argument(frame, 2, isSwapped ? x : y, isSwapped ? xn : yn);
    call(frame, less, 2, isSwapped ? Then.FINISH_NEGATED : Then.FINISH_INSTRUCTION);
  }

  private LuaError orderError(@Nullable Object x, @Nullable Object y) {
    String first = LuaValues.typeName(x);
    String second = LuaValues.typeName(y);
    return interpreter.calls.runtimeError(
        first.equals(second)
            ? "attempt to compare two " + first + " values"
            : "attempt to compare " + first + " with " + second);
  }

  // Concatenation

  private void concat(Frame frame, long i) {
    int base = frame.base;
    concat(frame, base + Op.a(i), base + Op.b(i), base + Op.c(i));
  }

  /** Joins registers from the right; those that are joined hold nothing afterwards. */
  private void concat(Frame frame, int target, int first, int lastRegister) {
    Coroutine co = current();
    int last = lastRegister;
    if (last == first + 1
        && co.values[first] instanceof LuaString x
        && co.values[last] instanceof LuaString y) {
      co.values[target] = x.length() == 0 ? y : y.length() == 0 ? x : join(x.bytes(), y.bytes());
      return;
    }
    while (last > first) {
      if (!isText(co.values[last]) || !isText(co.values[last - 1])) {
        concatMetamethod(frame, last);
        return;
      }
      int from = last - 1;
      while (from > first && isText(co.values[from - 1])) from--;
      co.values[from] = join(co, from, last);
      last = from;
    }
    co.set(target, co.values[first], co.numbers[first]);
  }

  private static boolean isText(@Nullable Object value) {
    return value instanceof LuaString || value == NUMBER;
  }

  private LuaString join(byte[] x, byte[] y) {
    state.reserveString((long) x.length + y.length);
    byte[] joined = Arrays.copyOf(x, x.length + y.length);
    System.arraycopy(y, 0, joined, x.length, y.length);
    return LuaString.of(joined);
  }

  private LuaString join(Coroutine co, int from, int last) {
    long length = 0;
    for (int r = from; r <= last; r++) {
      if (co.values[r] == NUMBER) co.values[r] = NumberText.of(co.numbers[r]);
      length += text(co, r).length();
    }
    state.reserveString(length);
    byte[] joined = new byte[(int) length];
    int at = 0;
    for (int r = from; r <= last; r++) {
      byte[] part = text(co, r).bytes();
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return LuaString.of(joined);
  }

  private static LuaString text(Coroutine co, int register) {
    return (LuaString) Objects.requireNonNull(co.values[register]);
  }

  private void concatMetamethod(Frame frame, int last) {
    Coroutine co = current();
    Object x = co.values[last - 1];
    Object y = co.values[last];
    Object metamethod = binaryMetamethod(x, y, MetatableKeys.CONCAT);
    if (metamethod == null) {
      int culprit = isText(x) ? last : last - 1;
      long i = code(frame).code[frame.pc - 1];
      int operand = culprit - frame.base - Op.b(i);
      throw operandError("concatenate", co.values[culprit], operand);
    }
    frame.pending = last;
    argument(frame, 1, x, co.numbers[last - 1]);
    argument(frame, 2, y, co.numbers[last]);
    call(frame, metamethod, 2, Then.FINISH_INSTRUCTION);
  }

  // Errors

  /** The error {@code attempt to index local 'x' (a nil value)}. */
  LuaError operandError(String action, @Nullable Object value, int operand) {
    Coroutine co = current();
    Frame frame = co.depth < 0 ? null : co.frame();
    String name = null;
    if (frame != null && frame.closure != null && operand >= 0) {
      name = code(frame).describe(frame.pc - 1, operand);
    }
    String type = LuaValues.typeName(value);
    String what = name == null ? "a " + type + " value" : name + " (a " + type + " value)";
    return interpreter.calls.runtimeError("attempt to " + action + " " + what);
  }
}
