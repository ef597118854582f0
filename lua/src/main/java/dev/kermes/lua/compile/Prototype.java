package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import org.jspecify.annotations.Nullable;

/** A compiled function; immutable, to be shared by closures and states. */
public final class Prototype {

  /** Instructions, see {@link Op}. */
  public final long[] code;

  /** The line of each instruction. */
  public final int[] lines;

  /** Constants: null for nil, Boolean, LuaString; a {@link Double} has its number beside it. */
  public final @Nullable Object[] constants;

  public final double[] numbers;
  public final Prototype[] functions;

  /** Per captured variable: the register of the enclosing function, or {@code ~} its capture. */
  public final int[] captures;

  public final int parameterCount;
  public final boolean isVararg;

  /** Whether the further arguments become the local table {@code arg}, as in Lua 5.0. */
  public final boolean needsArg;

  public final int registerCount;
  public final LuaString source;
  public final int lineDefined;

  /** What operands are called, for errors. */
  final OperandNames names;

  Prototype(FunctionBuilder builder, FunctionBody body) {
    code = builder.code();
    lines = builder.lines();
    constants = builder.constants();
    numbers = builder.numbers();
    functions = builder.functions();
    captures = body.captures();
    parameterCount = body.parameterCount;
    isVararg = body.isVararg;
    needsArg = body.needsArg();
    registerCount = builder.registerCount();
    source = body.source;
    lineDefined = body.line;
    names = builder.names();
  }

  public int captureCount() {
    return captures.length;
  }

  /** Whether it stands for a function of C's, which has neither lines nor names. */
  public boolean isNative() {
    return source == Compiler.NATIVE;
  }

  /** What an operand of an instruction is called, such as {@code local 'x'}; null if nothing. */
  public @Nullable String describe(int pc, int operand) {
    OperandNames.Name name = isNative() ? null : names.find(pc, operand);
    return name == null ? null : name.kind() + " '" + name.text() + "'";
  }

  public OperandNames.@Nullable Name name(int pc, int operand) {
    return isNative() ? null : names.find(pc, operand);
  }

  /** What it occupies in memory, roughly. */
  public long bytes() {
    return 200 + 12L * code.length + 24L * constants.length;
  }
}
