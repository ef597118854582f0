package dev.kermes.lua;

/**
 * The resource limits of a state.
 *
 * @param memoryBytes of strings, tables, functions and stacks, approximately
 * @param callDepth of Lua functions, before "stack overflow"
 * @param nativeDepth of nested protected calls, metamethods, iterators and coroutines, before "C
 *     stack overflow"
 */
public record LuaLimits(long memoryBytes, int callDepth, int nativeDepth) {

  /** The limits of the reference implementation, and half the heap as memory. */
  public static final LuaLimits DEFAULT =
      new LuaLimits(Runtime.getRuntime().maxMemory() / 2, 20_000, 200);

  /** The same limits with another bound on memory, in bytes. */
  public LuaLimits withMemory(long bytes) {
    return new LuaLimits(bytes, callDepth, nativeDepth);
  }
}
