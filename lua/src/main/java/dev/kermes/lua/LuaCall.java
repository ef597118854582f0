package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.compile.OperandNames;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function written in Java: its arguments, counted from 1, and its results, in the
 * order in which they are pushed. Valid until the function returns.
 *
 * <p>Values are as in {@link LuaValues}; numbers need not be boxed.
 */
public final class LuaCall {

  /** The action after the function has returned. */
  enum Request {
    NONE,
    TAIL_CALL,
    PROTECT,
    RESUME,
    YIELD
  }

  private final LuaState state;
  private Coroutine co;
  private int base;
  private int count;
  private int top;
  Request request = Request.NONE;
  boolean hasHandler;
  boolean isWrapped;
  @Nullable Coroutine resumed;

  @SuppressWarnings("NullAway.Init") // the coroutine is set by the first call
  LuaCall(LuaState state) {
    this.state = state;
  }

  void begin(Coroutine coroutine, int firstArgument, int argumentCount) {
    if (co != coroutine) co = coroutine; // a store into an old object costs a fence
    base = firstArgument;
    count = argumentCount;
    top = firstArgument + argumentCount;
    if (request != Request.NONE) request = Request.NONE;
  }

  int firstArgument() {
    return base;
  }

  int resultsFrom() {
    return base + count;
  }

  int resultCount() {
    return top - base - count;
  }

  /** The state of the running script. */
  public LuaState state() {
    return state;
  }

  /** The coroutine that calls. */
  public Coroutine coroutine() {
    return co;
  }

  // Arguments

  /** The number of arguments. */
  public int count() {
    return count;
  }

  /** Whether an argument is missing. */
  public boolean isNone(int i) {
    return i > count;
  }

  /** Whether argument {@code i} is nil or missing; the first is 0. */
  public boolean isNil(int i) {
    return i > count || co.values[base + i - 1] == null;
  }

  /** Whether an argument is a number, or a string that means one. */
  public boolean isNumber(int i) {
    return i <= count && co.values[base + i - 1] == NUMBER;
  }

  /** Returns an argument, null if it is nil or missing. */
  public @Nullable Object value(int i) {
    return i > count ? null : co.boxed(base + i - 1);
  }

  /** Returns an argument that may be nil but must be given. */
  public @Nullable Object any(int i) {
    if (i > count) throw argumentError(i, "value expected");
    return value(i);
  }

  /** The name of an argument's type; {@code no value} if it is missing. */
  public String typeName(int i) {
    return i > count ? "no value" : LuaValues.typeName(co.values[base + i - 1]);
  }

  /** Returns a string, or a number as text. */
  public LuaString string(int i) {
    LuaString string = stringOrNull(i);
    if (string == null) throw typeError(i, "string");
    return string;
  }

  /** Returns a string, or a number as text; null if it is something else. */
  public @Nullable LuaString stringOrNull(int i) {
    if (i > count) return null;
    Object value = co.values[base + i - 1];
    if (value instanceof LuaString string) return string;
    return value == NUMBER ? NumberText.of(co.numbers[base + i - 1]) : null;
  }

  /** The bytes of an argument, which must be a string or a number. */
  public byte[] bytes(int i) {
    return string(i).bytes();
  }

  /** Returns a number, or a string that spells one. */
  public double number(int i) {
    if (isNumber(i)) return co.numbers[base + i - 1];
    Double parsed = value(i) instanceof LuaString string ? NumberText.parse(string) : null;
    if (parsed == null) throw typeError(i, "number");
    return parsed;
  }

  /** An argument that must be a number; {@code otherwise} if it is nil or missing. */
  public double number(int i, double otherwise) {
    return isNil(i) ? otherwise : number(i);
  }

  /** Returns a number truncated to a long, as C does. */
  public long integer(int i) {
    return LuaValues.toInteger(number(i));
  }

  /** An argument as an integer; {@code otherwise} if it is nil or missing. */
  public long integer(int i, long otherwise) {
    return isNil(i) ? otherwise : integer(i);
  }

  /** An argument that must be a table. */
  public LuaTable table(int i) {
    if (i <= count && co.values[base + i - 1] instanceof LuaTable table) return table;
    throw typeError(i, "table");
  }

  /** An argument that must be a function. */
  public Object function(int i) {
    Object value = value(i);
    if (value == null || !LuaValues.isFunction(value)) throw typeError(i, "function");
    return value;
  }

  /** Whether an argument counts as true. */
  public boolean isTrue(int i) {
    return LuaValues.isTrue(value(i));
  }

  // Errors

  /** An error whose message starts with the position of the function's call. */
  public LuaError error(String message) {
    return new LuaError(Positions.prefixed(co, 1, message));
  }

  /**
   * An error whose message starts with the position where Lua code called the library function that
   * contains this one.
   */
  public LuaError errorOfCaller(String message) {
    return new LuaError(Bytes.join(Positions.whereLibraryWasCalled(co), Bytes.text(message)));
  }

  /** The text {@code name:line: } of the function at a level; empty if it has none. */
  public LuaString where(int level) {
    return Positions.where(co, level);
  }

  /** The error {@code bad argument #1 to 'name' (message)}. */
  public LuaError argumentError(int i, String message) {
    OperandNames.Name name = Positions.calledName(co);
    int shown = i;
    if (name != null && name.kind().equals("method")) {
      shown--;
      if (shown == 0)
        return error("calling '" + Bytes.text(name.text()) + "' on bad self (" + message + ")");
    }
    String text = name == null ? "?" : Bytes.text(name.text());
    return error("bad argument #" + shown + " to '" + text + "' (" + message + ")");
  }

  /** The error for an argument of a wrong type. */
  public LuaError typeError(int i, String expected) {
    return argumentError(i, expected + " expected, got " + typeName(i));
  }

  // Results

  private int place() {
    co.ensure(top + 1);
    return top++;
  }

  /** Adds a number to the results. */
  public void push(double number) {
    int at = place();
    co.values[at] = NUMBER;
    co.numbers[at] = number;
  }

  /** Adds a boolean to the results. */
  public void push(boolean value) {
    int at = place();
    co.values[at] = value;
  }

  /** Pushes any value; a {@link Double} becomes a number. */
  public void push(@Nullable Object value) {
    int at = place();
    co.setBoxed(at, value);
  }

  /** Pushes a newly created byte array, and accounts for it. */
  public void pushFresh(byte[] bytes) {
    state.memory().add(LuaState.STRING_BYTES + bytes.length);
    push(LuaString.of(bytes));
  }

  /** Adds nil to the results. */
  public void pushNil() {
    int at = place();
    co.values[at] = null;
  }

  /** Pushes an argument. */
  public void pushArgument(int i) {
    int at = place();
    if (i > count) co.values[at] = null;
    else co.move(base + i - 1, at, 1);
  }

  /** Pushes the value at an integer key of a table. */
  public void pushElement(LuaTable table, int key) {
    int at = place();
    int found = table.find(key);
    Object value = table.objectAt(found);
    co.set(at, value, value == NUMBER ? table.numberAt(found) : 0);
  }

  /** Sets an element of a table to an argument. */
  public void setElement(LuaTable table, int key, int argument) {
    int at = base + argument - 1;
    table.set(NUMBER, key, co.values[at], co.numbers[at]);
  }

  // Requests to the interpreter, which it executes after the function has returned

  /** Calls the first pushed value with the rest; its results become those of this function. */
  public void tailCall() {
    request = Request.TAIL_CALL;
  }

  /**
   * Calls the first argument in protected mode; with {@code handler} the second one handles errors.
   */
  public void callProtected(boolean handler) {
    hasHandler = handler;
    request = Request.PROTECT;
  }

  /**
   * Resumes a coroutine.
   *
   * @param wrapped whether all arguments are for the coroutine, and errors propagate; otherwise the
   *     first argument is the coroutine
   */
  public void resume(Coroutine coroutine, boolean wrapped) {
    resumed = coroutine;
    isWrapped = wrapped;
    request = Request.RESUME;
  }

  /** Passes the arguments to the resumer of this coroutine. */
  public void yieldToResumer() {
    request = Request.YIELD;
  }

  /** Counts work, so that a stopped execution also ends within long functions. */
  public void spend(int work) {
    state.execution().spend(work);
  }

  // Levels of calls, for getfenv and setfenv

  /** Returns the function at a level; null if it is not a Lua function. */
  public @Nullable LuaClosure closureAt(int level) {
    Frame frame = Positions.frame(co, level);
    return frame == null ? null : frame.closure;
  }

  /** Whether the stack of calls has that level; 0 is the running function. */
  public boolean hasLevel(int level) {
    return Positions.exists(co, level);
  }
}
