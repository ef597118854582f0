package dev.kermes.lua.compile;

import dev.kermes.lua.LuaString;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A compiled function, shared by closures and states. Immutable but for its {@link CompiledCode}s.
 */
public final class Prototype {

  /** Instructions, see {@link Op}. A loop's backward jump becomes {@link Op#COMPILED}. */
  public final long[] code;

  /** The line of each instruction. */
  public final int[] lines;

  /**
   * Constants: null for nil, Boolean, LuaString; the number of a {@link Double} is in the parallel
   * array.
   */
  public final @Nullable Object[] constants;

  public final double[] numbers;
  public final Prototype[] functions;

  /** Per captured variable: the register of the enclosing function, or {@code ~} of its capture. */
  public final int[] captures;

  public final int parameterCount;
  public final boolean isVararg;

  /** Whether the variable arguments become the local table {@code arg}, as in Lua 5.0. */
  public final boolean needsArg;

  public final int registerCount;
  public final LuaString source;
  public final int lineDefined;

  /** Ends of slices in this function since it or a loop of it was compiled; not exact. */
  public int heat;

  /** The names of operands, for errors. */
  final OperandNames names;

  private volatile @Nullable CompiledCode function;
  private volatile @Nullable Loops loops;

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

  /** Whether it imitates a C function, which has neither lines nor names. */
  public boolean isNative() {
    return source == Compiler.NATIVE;
  }

  /**
   * Returns the name of an instruction's operand, such as {@code local 'x'}; null if it has none.
   */
  public @Nullable String describe(int pc, int operand) {
    OperandNames.Name name = isNative() ? null : names.find(pc, operand);
    return name == null ? null : name.kind() + " '" + name.text() + "'";
  }

  public OperandNames.@Nullable Name name(int pc, int operand) {
    return isNative() ? null : names.find(pc, operand);
  }

  /** The whole function as compiled code; null if there is none. */
  public @Nullable CompiledCode function() {
    return function;
  }

  /** Makes the function run as compiled. */
  public void function(@Nullable CompiledCode compiled) {
    function = compiled;
  }

  /** The compiled loop that ends with the instruction at a position; null if there is none. */
  public @Nullable CompiledCode loop(int pc) {
    Loops known = loops;
    return known == null ? null : known.byEnd.get(pc);
  }

  /** Notes a loop by the position of its end, without running it yet. */
  public void addLoop(int pc, CompiledCode loop) {
    allLoops().byEnd.set(pc, loop);
  }

  /** Makes a loop run as compiled. Another thread sees it at once, later, or as null. */
  public void installLoop(int pc, CompiledCode loop) {
    addLoop(pc, loop);
    code[pc] = code[pc] & ~0xffL | Op.COMPILED;
  }

  /** The instructions as they were before loops were compiled. */
  public long[] interpretedCode() {
    return allLoops().code;
  }

  private synchronized Loops allLoops() {
    Loops known = loops;
    if (known == null) {
      known = new Loops(code.clone(), new AtomicReferenceArray<>(code.length));
      loops = known;
    }
    return known;
  }

  private record Loops(long[] code, AtomicReferenceArray<@Nullable CompiledCode> byEnd) {}

  /** The approximate size in memory. */
  public long bytes() {
    return 200 + 12L * code.length + 24L * constants.length;
  }
}
