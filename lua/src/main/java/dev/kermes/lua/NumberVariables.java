package dev.kermes.lua;

import dev.kermes.lua.compile.Op;

/**
 * The registers of compiled code whose numbers live in variables of the JVM: those that its
 * arithmetic, its comparisons and its counters use. The number of another register stays in the
 * coroutine's array.
 */
final class NumberVariables {

  /** 24: each of them may have to be stored and loaded around a call. */
  private static final int MAX = 24;

  private final boolean[] isVariable = new boolean[256];
  private int count;

  NumberVariables(long[] code, int start, int end) {
    for (int pc = start; pc <= end; pc++) add(code[pc]);
  }

  private void add(long i) {
    int op = Op.op(i);
    if (op >= Op.ADD && op <= Op.MOD) {
      add(Op.a(i));
      add(Op.b(i));
      add(Op.c(i));
    } else if (op >= Op.ADDK && op <= Op.MODK) {
      add(Op.a(i));
      add(Op.b(i));
    } else if (op == Op.JEQ || op == Op.JNE || op >= Op.JLT && op <= Op.JNLE) {
      add(Op.a(i));
      add(Op.b(i));
    } else if (op == Op.JEQK || op == Op.JNEK || op >= Op.JLTK && op <= Op.JNGEK) {
      add(Op.a(i));
    } else if (op == Op.FORLOOP) {
      for (int r = 0; r < 4; r++) add(Op.a(i) + r);
    } else if (op == Op.GETINDEX) {
      add(Op.c(i));
    } else if (op == Op.SETINDEX) {
      add(Op.b(i));
    }
  }

  private void add(int register) {
    if (isVariable[register] || count == MAX) return;
    isVariable[register] = true;
    count++;
  }

  boolean isVariable(int register) {
    return isVariable[register];
  }
}
