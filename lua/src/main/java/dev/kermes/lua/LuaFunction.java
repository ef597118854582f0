package dev.kermes.lua;

/** A function written in Java. */
@FunctionalInterface
public interface LuaFunction {

  /**
   * Reads its arguments from {@code call} and pushes its results.
   *
   * @throws LuaError what the script gets to see
   */
  void call(LuaCall call);
}
