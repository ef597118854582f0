package dev.kermes.lua;

/** A function written in Java. */
@FunctionalInterface
public interface LuaFunction {

  /**
   * Reads its arguments from {@code call} and pushes its results.
   *
   * @throws LuaError an error that the script can catch
   */
  void call(LuaCall call);
}
