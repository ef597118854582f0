package dev.kermes.lua.compile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the source. {@code line} is the line of its last token, at which errors are
 * reported.
 */
sealed interface Stat {

  record Local(List<Variable> variables, List<Expr> values, int line) implements Stat {}

  record LocalFunction(Variable variable, Expr.Function function, int line) implements Stat {}

  record Assign(List<Expr> targets, List<Expr> values, int line) implements Stat {}

  record CallStat(Expr call) implements Stat {}

  record Do(List<Stat> body) implements Stat {}

  record While(Expr condition, List<Stat> body, int line) implements Stat {}

  record Repeat(List<Stat> body, Expr condition, int line) implements Stat {}

  /** Conditions and their blocks; a last block without condition is the else branch. */
  record If(List<Expr> conditions, List<List<Stat>> blocks, int line) implements Stat {}

  record NumericFor(
      Variable variable,
      Expr start,
      Expr limit,
      @Nullable Expr step,
      List<Stat> body,
      int line,
      int doLine)
      implements Stat {}

  record GenericFor(List<Variable> variables, List<Expr> values, List<Stat> body, int line)
      implements Stat {}

  record Return(List<Expr> values, int line) implements Stat {}

  record Break(int line) implements Stat {}
}
