package dev.kermes.lua.compile;

import dev.kermes.lua.LuaError;
import dev.kermes.lua.LuaString;
import java.util.function.UnaryOperator;

/** Compiles source text to functions. */
public final class Compiler {

  /** The source name of functions that imitate C functions: errors in them have no position. */
  static final LuaString NATIVE = LuaString.of("=[C]");

  private Compiler() {}

  /**
   * Compiles a chunk.
   *
   * @param name as {@code @file}, {@code =name}, or the source itself
   * @param interner returns the shared instance of a string, if it has one
   * @throws LuaError for mistakes in the source
   */
  public static Prototype compile(
      byte[] source, LuaString name, UnaryOperator<LuaString> interner) {
    Lexer lexer = new Lexer(source, name, interner);
    try {
      FunctionBody main = new Parser(lexer, name).parse();
      return new Generator(main, lexer).function();
    } catch (StackOverflowError e) {
      throw lexer.error("function or expression too complex");
    }
  }

  /** Compiles a part of the standard libraries. */
  public static Prototype compileNative(String source) {
    return compile(LuaString.of(source).bytes(), NATIVE, string -> string);
  }
}
