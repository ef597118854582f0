package dev.kermes.lua;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import dev.kermes.lua.lib.BaseLibrary;
import dev.kermes.lua.lib.BitLibrary;
import dev.kermes.lua.lib.CjsonLibrary;
import dev.kermes.lua.lib.CmsgpackLibrary;
import dev.kermes.lua.lib.CoroutineLibrary;
import dev.kermes.lua.lib.MathLibrary;
import dev.kermes.lua.lib.StringLibrary;
import dev.kermes.lua.lib.StructLibrary;
import dev.kermes.lua.lib.TableLibrary;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Source that runs in a state of its own with all libraries; texts hold one byte per character. */
final class Chunk {

  private Chunk() {}

  static LuaState state(StringBuilder out) {
    return state(out, LuaLimits.DEFAULT);
  }

  static LuaState state(StringBuilder out, LuaLimits limits) {
    LuaState state = new LuaState(limits);
    BaseLibrary.open(state);
    BaseLibrary.openEnvironments(state);
    BaseLibrary.openPrint(
        state, line -> out.append(new String(line.bytes(), ISO_8859_1)).append('\n'));
    CoroutineLibrary.open(state);
    StringLibrary.open(state);
    TableLibrary.open(state);
    MathLibrary.open(state);
    BitLibrary.open(state);
    StructLibrary.open(state);
    CjsonLibrary.open(state);
    CmsgpackLibrary.open(state);
    return state;
  }

  static LuaClosure compile(LuaState state, String source) {
    return state.compile(source.getBytes(ISO_8859_1), LuaString.of("=s"));
  }

  /** Compiles loops, and those functions that a test wants, inside a function as well. */
  static void compile(Prototype p, Predicate<Prototype> isWanted) {
    long[] code = p.interpretedCode();
    for (int pc = 0; pc < code.length; pc++) {
      int op = Op.op(code[pc]);
      if (op != Op.LOOP && op != Op.FORLOOP && op != Op.TFORLOOP) continue;
      JvmCode loop = JvmCompiler.compileLoop(p, pc);
      if (loop != null) p.installLoop(pc, loop); // else it is too long
    }
    if (isWanted.test(p)) p.function(JvmCompiler.compileFunction(p));
    for (Prototype inner : p.functions) compile(inner, isWanted);
  }

  /** Returns the output, and the error if it fails. */
  static String outputOf(String source) {
    StringBuilder out = new StringBuilder();
    LuaState state = state(out);
    try {
      state.execution().start(compile(state, source));
      if (state.execution().run() == Execution.Status.FAILED) out.append(errorOf(state));
    } catch (LuaError e) {
      out.append(text(e.value()));
    }
    return out.toString();
  }

  static String errorOf(LuaState state) {
    return text(state.execution().error());
  }

  static String text(@Nullable Object value) {
    return new String(LuaValues.toLuaString(value).bytes(), ISO_8859_1);
  }

  /** The first result as text. */
  static String resultOf(String source) {
    LuaState state = state(new StringBuilder());
    state.execution().start(compile(state, source));
    return state.execution().run() == Execution.Status.FINISHED
        ? text(state.execution().result(1))
        : "error: " + errorOf(state);
  }
}
