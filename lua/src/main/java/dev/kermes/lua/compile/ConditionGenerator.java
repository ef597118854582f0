package dev.kermes.lua.compile;

/** Generates jumps for expressions of which only the truth matters. */
final class ConditionGenerator {

  private static final int B_MAX = 0xffff;

  private final FunctionBuilder out;
  private final ExpressionGenerator expressions;

  ConditionGenerator(FunctionBuilder out, ExpressionGenerator expressions) {
    this.out = out;
    this.expressions = expressions;
  }

  /** Jumps if the truth of the expression is {@code when}; otherwise continues after the jump. */
  void branch(Expr e, boolean when, Jumps jumps) {
    switch (e) {
      case Expr.Constant c -> constant(c, when, jumps);
      case Expr.Paren p -> branch(p.inner(), when, jumps);
      case Expr.Unary u when u.operator() == Operator.NOT -> branch(u.operand(), !when, jumps);
      case Expr.Binary b when b.operator() == Operator.AND -> both(b, when, jumps);
      case Expr.Binary b when b.operator() == Operator.OR -> either(b, when, jumps);
      case Expr.Binary b when b.operator().isComparison() -> compare(b, when, jumps);
      default -> value(e, when, jumps);
    }
  }

  private void constant(Expr.Constant c, boolean when, Jumps jumps) {
    boolean isTrue = c.value() != null && c.value() != Boolean.FALSE;
    if (isTrue == when) jumps.add(out.emit(Op.JUMP, 0, 0, 0, 0));
  }

  private void both(Expr.Binary e, boolean when, Jumps jumps) {
    if (!when) {
      branch(e.left(), false, jumps);
      branch(e.right(), false, jumps);
      return;
    }
    Jumps otherwise = new Jumps();
    branch(e.left(), false, otherwise);
    branch(e.right(), true, jumps);
    otherwise.patch(out, out.pc());
  }

  private void either(Expr.Binary e, boolean when, Jumps jumps) {
    if (when) {
      branch(e.left(), true, jumps);
      branch(e.right(), true, jumps);
      return;
    }
    Jumps otherwise = new Jumps();
    branch(e.left(), true, otherwise);
    branch(e.right(), false, jumps);
    otherwise.patch(out, out.pc());
  }

  private void value(Expr e, boolean when, Jumps jumps) {
    int free = out.free();
    int register = expressions.any(e);
    jumps.add(out.emit(when ? Op.JT : Op.JF, register, 0, 0, 0));
    out.free(free);
  }

  // Comparisons

  private void compare(Expr.Binary e, boolean when, Jumps jumps) {
    int free = out.free();
    Operator operator = e.operator();
    if (operator == Operator.EQ || operator == Operator.NE) {
      equal(e, (operator == Operator.EQ) == when, jumps);
    } else {
      order(e, when, jumps);
    }
    out.free(free);
  }

  private void equal(Expr.Binary e, boolean when, Jumps jumps) {
    boolean isLeft = e.left() instanceof Expr.Constant;
    Expr constant = isLeft ? e.left() : e.right();
    if (constant instanceof Expr.Constant c && out.constant(c.value()) <= B_MAX) {
      int register = expressions.any(isLeft ? e.right() : e.left());
      int k = out.constant(c.value());
      jumps.add(out.emit(when ? Op.JEQK : Op.JNEK, register, k, 0, e.line()));
    } else {
      int[] pair = expressions.pair(e.left(), e.right());
      jumps.add(out.emit(when ? Op.JEQ : Op.JNE, pair[0], pair[1], 0, e.line()));
    }
  }

  private void order(Expr.Binary e, boolean when, Jumps jumps) {
    boolean isSwapped = e.operator() == Operator.GT || e.operator() == Operator.GE;
    int op = e.operator().op + (when ? 0 : 1);
    if (isSmallNumber(e.right())) {
      int base = isSwapped ? Op.JGTK : Op.JLTK;
      withConstant(e.left(), e.right(), op - Op.JLT + base, jumps, e.line());
    } else if (isSmallNumber(e.left())) {
      int base = isSwapped ? Op.JLTK : Op.JGTK;
      withConstant(e.right(), e.left(), op - Op.JLT + base, jumps, e.line());
    } else {
      int[] pair = expressions.pair(e.left(), e.right());
      int first = isSwapped ? pair[1] : pair[0];
      int second = isSwapped ? pair[0] : pair[1];
      jumps.add(out.emit(op, first, second, 0, e.line()));
    }
  }

  private boolean isSmallNumber(Expr e) {
    return e instanceof Expr.Constant c
        && c.value() instanceof Double
        && out.constant(c.value()) <= B_MAX;
  }

  private void withConstant(Expr operand, Expr constant, int op, Jumps jumps, int line) {
    int k = out.constant(((Expr.Constant) constant).value());
    jumps.add(out.emit(op, expressions.any(operand), k, 0, line));
  }
}
