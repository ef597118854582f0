package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.compile.CompiledLoop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A loop as JVM bytecode; {@link LoopCompiler} makes the subclasses. Stateless, so shared by all
 * executions.
 */
abstract class LoopCode implements CompiledLoop {

  /**
   * Runs from the loop's backward jump on, until the loop is left, a slice ends, or an instruction
   * has pushed a frame. Then the frame has its position and its registers, and the interpreter
   * continues.
   */
  abstract void run(Interpreter interpreter, Coroutine co, Frame frame);

  /**
   * Lets the interpreter execute an instruction that calls, allocates, or has rare operands.
   *
   * @param next the position behind it
   * @return whether the loop continues: the instruction is complete, and the slice not at its end
   */
  static boolean perform(
      Interpreter interpreter, Coroutine co, Frame frame, long instruction, int next) {
    frame.pc = next;
    interpreter.perform(co, frame, instruction);
    return !interpreter.isFinished
        && !interpreter.isSuspended
        && interpreter.current == co
        && co.frames[co.depth] == frame;
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
