package dev.kermes.lua;

import dev.kermes.lua.compile.ChunkName;
import dev.kermes.lua.compile.Compiler;
import dev.kermes.lua.compile.Prototype;
import org.jspecify.annotations.Nullable;

/**
 * A Lua state: globals, the functions compiled for it, and at most one active {@link Execution}. It
 * starts without any library; see {@code dev.kermes.lua.lib}.
 *
 * <p>Owned by one thread at a time; only {@link #stop} may be called from any thread.
 */
public final class LuaState {

  static final int STRING_BYTES = 40;
  private static final int INTERNED = 1024;
  private static final int INTERNED_LENGTH_MAX = 40;
  private static final long STRING_LENGTH_MAX = Integer.MAX_VALUE - 16;

  private final LuaLimits limits;
  private final MemoryEstimate memory;
  private final LuaTable globals;
  private final @Nullable LuaString[] interned = new @Nullable LuaString[INTERNED];
  private final Execution execution;
  private @Nullable LuaTable stringMetatable;
  private volatile @Nullable String stop;

  /** The function {@code next}, which for loops execute without a call. */
  @Nullable LuaFunction next;

  /** The iterator of {@code ipairs}, likewise. */
  @Nullable LuaFunction nextItem;

  /** Creates a state with the default limits and without libraries. */
  public LuaState() {
    this(LuaLimits.DEFAULT);
  }

  /** Creates a state without libraries. */
  public LuaState(LuaLimits limits) {
    this.limits = limits;
    memory = new MemoryEstimate(this, limits.memoryBytes());
    globals = new LuaTable(memory, 0, 0);
    execution = new Execution(this);
  }

  /** The limits of its scripts. */
  public LuaLimits limits() {
    return limits;
  }

  /** The table of global variables, {@code _G}. */
  public LuaTable globals() {
    return globals;
  }

  /** The single execution, which is started again and again. */
  public Execution execution() {
    return execution;
  }

  /** A new empty table, counted as memory of this state. */
  public LuaTable newTable() {
    return new LuaTable(memory, 0, 0);
  }

  /** Creates a table with room for the given numbers of items and of other keys. */
  public LuaTable newTable(int items, int others) {
    return new LuaTable(memory, items, others);
  }

  // Functions

  /**
   * Compiles a chunk to a function.
   *
   * @param name {@code @file}, {@code =name}, or the source itself, for messages
   * @throws LuaError for mistakes in the source
   */
  public LuaClosure compile(byte[] source, LuaString name) {
    Prototype code = Compiler.compile(source, name, this::intern);
    memory.add(code.bytes());
    return new LuaClosure(code, globals);
  }

  /**
   * Compiles a chunk; {@code name} appears in messages. Throws {@link LuaError} on a syntax error.
   */
  public LuaClosure compile(String source, String name) {
    return compile(LuaString.of(source).bytes(), LuaString.of(name));
  }

  /** A function that was compiled as part of a library. */
  public LuaClosure closure(NativeCode code) {
    return new LuaClosure(code.code(), globals);
  }

  /** A coroutine that will run a function. */
  public Coroutine coroutine(LuaClosure function) {
    Coroutine coroutine = new Coroutine(memory);
    coroutine.values[0] = function;
    return coroutine;
  }

  /** Returns the name of a source in messages. */
  public static LuaString shownName(LuaString source) {
    return ChunkName.shown(source);
  }

  // Strings

  /** Returns the same string, as a shared instance if it is short and was used lately. */
  public LuaString intern(LuaString string) {
    if (string.length() > INTERNED_LENGTH_MAX) return string;
    int at = string.hashCode() & (INTERNED - 1);
    LuaString known = interned[at];
    if (known != null && known.isSame(string)) return known;
    interned[at] = string;
    return string;
  }

  /** The string of a text in UTF-8, from the cache if it is there. */
  public LuaString intern(String text) {
    return intern(LuaString.of(text));
  }

  /** Must be called before a string of this length is created. */
  public void reserveString(long length) {
    if (length > STRING_LENGTH_MAX) throw LuaError.outOfMemory();
    memory.reserve(STRING_BYTES + length);
  }

  // Metatables

  /** The metatable of all strings. */
  public @Nullable LuaTable stringMetatable() {
    return stringMetatable;
  }

  /** Sets the metatable that all strings share. */
  public void stringMetatable(@Nullable LuaTable metatable) {
    stringMetatable = metatable;
  }

  /** The metatable of a value, or null. */
  public @Nullable LuaTable metatableOf(@Nullable Object value) {
    if (value instanceof LuaTable table) return table.metatable();
    if (value instanceof LuaString) return stringMetatable;
    return value instanceof LuaUserdata data ? data.metatable() : null;
  }

  /** Returns a field of a value's metatable, null if there is none. */
  public @Nullable Object metafield(@Nullable Object value, LuaString name) {
    return MetatableKeys.of(metatableOf(value), name);
  }

  /**
   * Declares which functions are {@code next} and the iterator of {@code ipairs}, so that for loops
   * may execute them inline.
   */
  public void iterators(LuaFunction ofPairs, LuaFunction ofItems) {
    next = ofPairs;
    nextItem = ofItems;
  }

  // Limits

  MemoryEstimate memory() {
    return memory;
  }

  /** The approximate number of bytes that the values occupy. */
  public long usedBytes() {
    return memory.used();
  }

  /** Counts the live values again. */
  public void recount() {
    memory.count();
  }

  /**
   * Makes the active execution fail soon, beyond any {@code pcall}. May be called from any thread,
   * and by library functions for their own execution.
   */
  public void stop(String message) {
    stop = message;
  }

  void stopIfAsked() {
    String message = stop;
    if (message != null) throw new LuaStopped(message);
  }

  void forgetStop() {
    stop = null;
  }
}
