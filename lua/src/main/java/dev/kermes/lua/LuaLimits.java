package dev.kermes.lua;

/**
 * What a state may use.
 *
 * @param memoryBytes of strings, tables, functions and stacks, roughly
 * @param callDepth of Lua functions, before "stack overflow"
 * @param nativeDepth of protected calls, metamethods, iterators and coroutines in each other,
 *     before "C stack overflow"
 */
public record LuaLimits(long memoryBytes, int callDepth, int nativeDepth) {

  /** Those of the reference implementation; memory as much as half the heap. */
  public static final LuaLimits DEFAULT =
      new LuaLimits(Runtime.getRuntime().maxMemory() / 2, 20_000, 200);

  public LuaLimits withMemory(long bytes) {
    return new LuaLimits(bytes, callDepth, nativeDepth);
  }
}
