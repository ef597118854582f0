package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.compile.CompiledCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A loop or a function as JVM bytecode; {@link JvmCompiler} makes the subclasses. Stateless, so
 * shared by all executions.
 */
abstract class JvmCode implements CompiledCode {

  /**
   * 64: the Java stack of a recursive function stays small. Calls below that are interpreted, or
   * begin a new nesting.
   */
  private static final int NESTING_MAX = 64;

  /**
   * Runs the frame on top, until its code is left, a slice ends, there is an error ({@link
   * Interpreter#raised}), or an instruction has pushed a frame. Then the frame has its position and
   * its registers, and the interpreter continues.
   */
  abstract void run(Interpreter interpreter, Coroutine co, Frame frame);

  /**
   * Lets the interpreter execute an instruction that allocates, or has rare operands.
   *
   * @param next the position behind it
   * @return whether the code continues: the instruction is complete, and the slice not at its end
   */
  static boolean perform(
      Interpreter interpreter, Coroutine co, Frame frame, long instruction, int next) {
    frame.pc = next;
    try {
      interpreter.perform(co, frame, instruction);
    } catch (RuntimeException | Error e) {
      interpreter.raised = e;
    }
    return goesOn(interpreter, co, frame);
  }

  private static boolean goesOn(Interpreter interpreter, Coroutine co, Frame frame) {
    return isRunning(interpreter, co) && co.frames[co.depth] == frame;
  }

  private static boolean isRunning(Interpreter interpreter, Coroutine co) {
    return interpreter.raised == null
        && !interpreter.isFinished
        && !interpreter.isSuspended
        && interpreter.current == co;
  }

  /** Performs a CALL, and runs the called function if it is compiled. */
  static boolean performCall(
      Interpreter interpreter, Coroutine co, Frame frame, long instruction, int next) {
    if (perform(interpreter, co, frame, instruction, next)) return true;
    if (!isRunning(interpreter, co) || interpreter.nesting == NESTING_MAX) return false;
    Frame called = co.frames[co.depth];
    LuaClosure closure = called.closure;
    if (called.pc != 0 || closure == null) return false;
    if (!(closure.code.function() instanceof JvmCode code)) return false;
    interpreter.nesting++;
    code.run(interpreter, co, called);
    interpreter.nesting--;
    return goesOn(interpreter, co, frame);
  }

  static double apply(Object function, double x) {
    return ((NumberFunction) function).operator.applyAsDouble(x);
  }

  static void set(@Nullable Object[] values, int at, @Nullable Object value) {
    if (values[at] != value) values[at] = value; // a store into an old array costs a fence
  }

  static void setNumber(@Nullable Object[] values, int at) {
    if (values[at] != NUMBER) values[at] = NUMBER;
  }

  static void setCell(@Nullable Object cell, @Nullable Object value, double number) {
    Cell c = (Cell) Objects.requireNonNull(cell);
    c.number = number;
    if (c.value != value) c.value = value;
  }

  static boolean isTrue(@Nullable Object value) {
    return value != null && value != Boolean.FALSE;
  }

  static Object not(@Nullable Object value) {
    return !isTrue(value);
  }

  static boolean isSame(@Nullable Object value, LuaString constant) {
    return value == constant || value instanceof LuaString string && string.equals(constant);
  }

  static double modulo(double x, double y) {
    return x - Math.floor(x / y) * y;
  }

  /** Whether a numeric for loop runs once more. */
  static boolean continues(double next, double limit, double step) {
    return step > 0 ? next <= limit : limit <= next;
  }

  /** The length of a string, or of a table that ends within its array part; else -1. */
  static int length(@Nullable Object value) {
    if (value instanceof LuaString string) return string.length();
    return value instanceof LuaTable table ? table.arrayLength() : -1;
  }

  /** The value of an integer key in a table's array part; null if it is not there. */
  static @Nullable Object element(@Nullable Object table, double key) {
    int index = (int) key;
    return index == key && table instanceof LuaTable t ? t.inArray(index - 1) : null;
  }

  /** The number of what {@link #element} has found. */
  static double elementNumber(@Nullable Object table, double key, Object found) {
    return found == NUMBER && table instanceof LuaTable t ? t.numberInArray((int) key - 1) : 0;
  }

  /** Sets a value in a table's array part; returns false if more than that is to be done. */
  static boolean setElement(
      @Nullable Object table, double key, @Nullable Object value, double number) {
    int index = (int) key;
    return index == key && table instanceof LuaTable t && t.setInArray(index - 1, value, number);
  }

  /** The slot of a string key; -1 if this very object is not a key. */
  static int find(@Nullable Object table, LuaString key) {
    return table instanceof LuaTable t ? t.findSame(key) : -1;
  }

  static @Nullable Object valueAt(@Nullable Object table, int slot) {
    return table instanceof LuaTable t ? t.objectAt(slot) : null;
  }

  /** The number of what {@link #valueAt} has found. */
  static double numberAt(@Nullable Object table, int slot, Object found) {
    return found == NUMBER && table instanceof LuaTable t ? t.numberAt(slot) : 0;
  }

  /** Replaces the value of a string key; returns false if more than that is to be done. */
  static boolean setField(
      @Nullable Object table, LuaString key, @Nullable Object value, double number) {
    return table instanceof LuaTable t && t.replaceAt(t.findSame(key), value, number);
  }
}
