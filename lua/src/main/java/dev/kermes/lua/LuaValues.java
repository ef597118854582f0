package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/**
 * The representation of values. Outside registers and tables: null is nil, and the others are
 * {@link Boolean}, {@link Double}, {@link LuaString}, {@link LuaTable}, {@link LuaClosure}, {@link
 * LuaFunction}, {@link Coroutine} and {@link LuaUserdata}.
 */
public final class LuaValues {

  /** Marks a number in a register or table; the number itself is unboxed in a parallel array. */
  static final Object NUMBER = new Object();

  private LuaValues() {}

  /** The name of a value's type, as {@code type} replies it. */
  public static String typeName(@Nullable Object value) {
    if (value == null) return "nil";
    if (value == NUMBER || value instanceof Double) return "number";
    if (value instanceof LuaString) return "string";
    if (value instanceof LuaTable) return "table";
    if (value instanceof Boolean) return "boolean";
    if (isFunction(value)) return "function";
    return value instanceof Coroutine ? "thread" : "userdata";
  }

  /** Whether a value is a function, of Lua or of Java. */
  public static boolean isFunction(@Nullable Object value) {
    return value instanceof LuaClosure || value instanceof LuaFunction;
  }

  /** Whether a value counts as true: all but nil and false do. */
  public static boolean isTrue(@Nullable Object value) {
    return value != null && value != Boolean.FALSE;
  }

  /**
   * Converts as the processor converts a double; a value out of range becomes the smallest number.
   */
  public static long toInteger(double number) {
    boolean fits = number >= -0x1p63 && number < 0x1p63;
    return fits ? (long) number : Long.MIN_VALUE;
  }

  /** Compares without metamethods. */
  static boolean isEqual(@Nullable Object a, double x, @Nullable Object b, double y) {
    if (a == NUMBER) return b == NUMBER && x == y;
    return a == b || a instanceof LuaString string && string.equals(b);
  }

  /** Returns the text of {@code tostring} without metamethods. */
  public static LuaString toLuaString(@Nullable Object value) {
    if (value instanceof LuaString string) return string;
    if (value instanceof Double number) return NumberText.of(number);
    return LuaString.of(shown(value));
  }

  private static String shown(@Nullable Object value) {
    if (value == null) return "nil";
    if (value instanceof Boolean) return value.toString();
    if (value instanceof LuaUserdata data && data.isNull()) return "userdata: (nil)";
    return String.format("%s: 0x%014x", typeName(value), System.identityHashCode(value));
  }
}
