package dev.kermes.lua;

import dev.kermes.lua.compile.Compiler;
import dev.kermes.lua.compile.Prototype;

/**
 * A library function written in Lua because it calls back, so that it can be suspended. To scripts
 * it looks like a C function: errors in it have no position.
 */
public final class NativeCode {

  private final Prototype code;

  private NativeCode(Prototype code) {
    this.code = code;
  }

  /** Compiles the body of a function, whose arguments are {@code ...}. */
  public static NativeCode of(String source) {
    return new NativeCode(Compiler.compileNative(source));
  }

  Prototype code() {
    return code;
  }
}
