package dev.kermes.lua;

import dev.kermes.lua.compile.CompiledCode;
import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.util.concurrent.ForkJoinPool;

/**
 * Finds the loops and functions that run often, and has them compiled to JVM bytecode. A sample is
 * taken at each end of a slice, so after 1,024 iterations and calls. Thread-safe.
 */
final class HotCode {

  /**
   * 16: 16,000 iterations, which the interpreter runs in about 0.1 ms. A new class costs a few
   * milliseconds until the JVM has compiled it in turn.
   */
  private static final int SAMPLES = 16;

  /** A native image cannot load classes that are made at run time. */
  private static final boolean CAN_COMPILE =
      System.getProperty("org.graalvm.nativeimage.imagecode") == null;

  /** Marks code that is being compiled, or that cannot be. */
  private static final CompiledCode NONE = new CompiledCode() {};

  private HotCode() {}

  /** Takes note that a slice has ended with a call of a function. */
  static void sample(Prototype p) {
    if (!isHot(p) || p.function() != null) return;
    p.function(NONE);
    ForkJoinPool.commonPool().execute(() -> compile(p));
  }

  /**
   * Takes note that a slice has ended in the loop that starts at a position. The script stays
   * interpreted for as long as the compilation takes, which is done by another thread.
   */
  static void sample(Prototype p, int start) {
    if (!isHot(p)) return;
    int end = endOfLoop(p.code, start);
    if (end < 0 || p.loop(end) != null) return;
    p.addLoop(end, NONE);
    ForkJoinPool.commonPool().execute(() -> compile(p, end));
  }

  private static boolean isHot(Prototype p) {
    if (!CAN_COMPILE || ++p.heat < SAMPLES) return false;
    p.heat = 0;
    return true;
  }

  /** The innermost loop's backward jump to a position; -1 if that one is compiled. */
  private static int endOfLoop(long[] code, int start) {
    for (int pc = start; pc < code.length; pc++) {
      int op = Op.op(code[pc]);
      boolean isBackward = op == Op.LOOP || op == Op.FORLOOP || op == Op.TFORLOOP;
      if (isBackward && Op.c(code[pc]) == start) return pc;
    }
    return -1;
  }

  private static void compile(Prototype p) {
    JvmCode function = JvmCompiler.compileFunction(p);
    if (function != null) p.function(function);
  }

  private static void compile(Prototype p, int end) {
    JvmCode loop = JvmCompiler.compileLoop(p, end);
    if (loop != null) p.installLoop(end, loop);
  }
}
