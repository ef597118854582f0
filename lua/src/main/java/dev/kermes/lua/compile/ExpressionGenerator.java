package dev.kermes.lua.compile;

import java.util.ArrayList;
import java.util.List;

/** Generates instructions that leave the values of expressions in registers. */
final class ExpressionGenerator {

  private static final int FIELDS_PER_FLUSH = 50;
  private static final int B_MAX = 0xffff;

  private final FunctionBuilder out;
  private final Lexer lexer;
  private final ConditionGenerator conditions;

  ExpressionGenerator(FunctionBuilder out, Lexer lexer) {
    this.out = out;
    this.lexer = lexer;
    conditions = new ConditionGenerator(out, this);
  }

  ConditionGenerator conditions() {
    return conditions;
  }

  // Destinations of values

  /** Evaluates to the next free register, and reserves it. */
  int next(Expr e) {
    int register = out.reserve(1);
    to(e, register);
    return register;
  }

  /** Evaluates to any register: that of a variable, or the next free one. */
  int any(Expr e) {
    return e instanceof Expr.Local(Variable v) && !v.isCaptured ? v.register : next(e);
  }

  /** Evaluates to the register of a variable, which the expression may still read. */
  void toLocal(Expr e, int register) {
    if (readsAfterWriting(e)) {
      int value = next(e);
      out.emit(Op.MOVE, register, value, 0, lastLine(e));
      out.free(value);
    } else {
      to(e, register);
    }
  }

  private static boolean readsAfterWriting(Expr e) {
    return switch (e) {
      case Expr.Table t -> true;
      case Expr.Paren p -> readsAfterWriting(p.inner());
      case Expr.Binary b -> b.operator() == Operator.AND || b.operator() == Operator.OR;
      default -> false;
    };
  }

  private static int lastLine(Expr e) {
    return switch (e) {
      case Expr.Binary b -> b.line();
      case Expr.Table t -> t.line();
      default -> 0;
    };
  }

  /**
   * Evaluates several expressions to consecutive registers; returns whether the last leaves any
   * number of values up to the top.
   */
  boolean list(List<Expr> values) {
    for (int i = 0; i < values.size(); i++) {
      Expr e = values.get(i);
      boolean isLast = i == values.size() - 1;
      if (isLast && e.isMulti()) {
        open(e, -1);
        return true;
      }
      next(e);
    }
    return false;
  }

  /** Adjusts to a number of registers: missing values are nil, superfluous ones are dropped. */
  void adjusted(List<Expr> values, int wanted, int line) {
    int first = out.free();
    for (int i = 0; i < values.size(); i++) {
      Expr e = values.get(i);
      boolean isLast = i == values.size() - 1;
      if (isLast && e.isMulti() && wanted > i) {
        open(e, wanted - i);
      } else {
        next(e);
      }
    }
    out.free(first);
    out.reserve(wanted);
    int missing = wanted - values.size();
    boolean isFilled = !values.isEmpty() && values.getLast().isMulti();
    if (missing > 0 && !isFilled) {
      out.emit(Op.LOADNIL, first + values.size(), missing, 0, line);
    }
  }

  /**
   * Evaluates a call or {@code ...} to that many values in the next free registers; all values with
   * -1.
   */
  private void open(Expr e, int wanted) {
    if (e instanceof Expr.Vararg) {
      int first = out.free();
      out.emit(Op.VARARG, first, wanted + 1, 0, lexer.lastLine());
      if (wanted > 0) {
        out.reserve(wanted);
        out.free(first);
      }
    } else {
      call(e, wanted);
    }
    if (wanted > 0) out.ensure(wanted);
  }

  // Values

  /** Evaluates to a register that the expression itself does not read. */
  void to(Expr e, int target) {
    switch (e) {
      case Expr.Constant c -> constant(c, target);
      case Expr.Local l -> local(l.variable(), target);
      case Expr.Upvalue u -> out.emit(Op.GETUP, target, u.index(), 0, 0);
      case Expr.Global g -> out.emit(Op.GETGLOBAL, target, 0, out.constant(g.name()), g.line());
      case Expr.Vararg v -> out.emit(Op.VARARG, target, 2, 0, 0);
      case Expr.Function f -> function(f.body(), target);
      case Expr.Index i -> index(i, target);
      case Expr.Call c -> callTo(c, target);
      case Expr.Method m -> callTo(m, target);
      case Expr.Unary u -> unary(u, target);
      case Expr.Binary b -> binary(b, target);
      case Expr.Paren p -> to(p.inner(), target);
      case Expr.Table t -> table(t, target);
    }
  }

  private void constant(Expr.Constant c, int target) {
    if (c.value() == null) out.emit(Op.LOADNIL, target, 1, 0, 0);
    else if (c.value() instanceof Boolean b) out.emit(Op.LOADBOOL, target, b ? 1 : 0, 0, 0);
    else out.emit(Op.LOADK, target, 0, out.constant(c.value()), 0);
  }

  private void local(Variable v, int target) {
    if (v.isCaptured) out.emit(Op.GETCELL, target, v.register, 0, 0);
    else if (v.register != target) out.emit(Op.MOVE, target, v.register, 0, 0);
  }

  private void function(FunctionBody body, int target) {
    Prototype prototype = new Generator(body, lexer).function();
    out.emit(Op.CLOSURE, target, 0, out.function(prototype), body.lastLine);
  }

  // Fields

  /** Whether a key is part of the instruction: a string, or an integer. */
  boolean isImmediateKey(Expr key) {
    if (!(key instanceof Expr.Constant c)) return false;
    if (c.value() instanceof Double number) {
      return number == (int) (double) number && (number != 0 || 1 / number > 0);
    }
    return c.value() instanceof dev.kermes.lua.LuaString;
  }

  private void index(Expr.Index e, int target) {
    int free = out.free();
    int pc;
    if (isImmediateKey(e.key())) {
      int object = any(e.object());
      Object key = ((Expr.Constant) e.key()).value();
      pc =
          key instanceof Double number
              ? out.emit(Op.GETINT, target, object, (int) (double) number, e.line())
              : out.emit(Op.GETFIELD, target, object, out.constant(key), e.line());
    } else {
      int[] pair = pair(e.object(), e.key());
      pc = out.emit(Op.GETINDEX, target, pair[0], pair[1], e.line());
    }
    out.note(pc, 0, e.object());
    out.free(free);
  }

  /**
   * Evaluates two operands. A variable on the left is read after the right one has been evaluated.
   */
  int[] pair(Expr left, Expr right) {
    if (left instanceof Expr.Local(Variable v) && v.isCaptured) {
      int second = any(right);
      return new int[] {any(left), second};
    }
    int first = any(left);
    return new int[] {first, any(right)};
  }

  // Operators

  private void unary(Expr.Unary e, int target) {
    int free = out.free();
    int pc = out.emit(e.operator().op, target, any(e.operand()), 0, e.line());
    out.note(pc, 0, e.operand());
    out.free(free);
  }

  private void binary(Expr.Binary e, int target) {
    Operator operator = e.operator();
    if (operator == Operator.AND || operator == Operator.OR) {
      shortCircuit(e, target);
    } else if (operator == Operator.CONCAT) {
      concat(e, target);
    } else if (operator.isComparison()) {
      comparison(e, target);
    } else {
      arithmetic(e, target);
    }
  }

  private void shortCircuit(Expr.Binary e, int target) {
    to(e.left(), target);
    int end = out.emit(e.operator().op, target, 0, 0, e.line());
    to(e.right(), target);
    out.patch(end, out.pc());
  }

  private void comparison(Expr.Binary e, int target) {
    Jumps isTrue = new Jumps();
    conditions.branch(e, true, isTrue);
    out.emit(Op.LOADBOOL, target, 0, 0, e.line());
    int end = out.emit(Op.JUMP, 0, 0, 0, e.line());
    isTrue.patch(out, out.pc());
    out.emit(Op.LOADBOOL, target, 1, 0, e.line());
    out.patch(end, out.pc());
  }

  private void arithmetic(Expr.Binary e, int target) {
    int free = out.free();
    int pc;
    if (e.right() instanceof Expr.Constant c && c.value() instanceof Double) {
      int op = e.operator().op - Op.ADD + Op.ADDK;
      pc = out.emit(op, target, any(e.left()), out.constant(c.value()), e.line());
    } else {
      int[] pair = pair(e.left(), e.right());
      pc = out.emit(e.operator().op, target, pair[0], pair[1], e.line());
      out.note(pc, 1, e.right());
    }
    out.note(pc, 0, e.left());
    out.free(free);
  }

  /** Evaluates a whole chain at once. */
  private void concat(Expr.Binary e, int target) {
    int first = out.free();
    List<Expr> parts = new ArrayList<>();
    Expr rest = e;
    while (rest instanceof Expr.Binary b && b.operator() == Operator.CONCAT) {
      parts.add(b.left());
      next(b.left());
      rest = b.right();
    }
    parts.add(rest);
    int last = next(rest);
    int pc = out.emit(Op.CONCAT, target, first, last, e.line());
    for (int i = 0; i < parts.size(); i++) out.note(pc, i, parts.get(i));
    out.free(first);
  }

  // Calls

  private void callTo(Expr e, int target) {
    int free = out.free();
    call(e, 1);
    if (free != target) out.emit(Op.MOVE, target, free, 0, 0);
    out.free(free);
  }

  /** Generates a call whose results start at the next free register; all of them with -1. */
  void call(Expr e, int wanted) {
    int function = out.free();
    List<Expr> arguments;
    int line;
    if (e instanceof Expr.Method m) {
      arguments = m.arguments();
      line = m.line();
      self(m);
    } else {
      Expr.Call c = (Expr.Call) e;
      arguments = c.arguments();
      line = c.line();
      next(c.function());
    }
    boolean isOpen = list(arguments);
    int count = out.free() - function - 1;
    int pc = out.emit(Op.CALL, function, isOpen ? 0 : count + 1, wanted + 1, line);
    out.note(pc, 0, e instanceof Expr.Call c ? c.function() : e);
    out.free(function);
  }

  private void self(Expr.Method m) {
    int function = out.reserve(2);
    int free = out.free();
    int object = any(m.object());
    int pc = out.emit(Op.SELF, function, object, out.constant(m.name()), m.line());
    out.note(pc, 0, m.object());
    out.free(free);
  }

  // Tables

  private void table(Expr.Table e, int target) {
    int items = 0;
    for (Expr.Field field : e.fields()) if (field.key() == null) items++;
    boolean isOpen = !e.fields().isEmpty() && isOpenItem(e.fields().getLast());
    int listed = isOpen ? items - 1 : items;
    int keyed = e.fields().size() - items;
    int list = Math.min(B_MAX, roundedUp(listed));
    out.emit(Op.NEWTABLE, target, list, roundedUp(keyed), e.line());
    fill(e, target);
  }

  private static boolean isOpenItem(Expr.Field field) {
    return field.key() == null && field.value().isMulti();
  }

  /** Sizes in the encoding of Lua's own instructions: eight steps per doubling. */
  private static int roundedUp(int size) {
    int mantissa = size;
    int exponent = 0;
    while (mantissa >= 16) {
      mantissa = (mantissa + 1) >> 1;
      exponent++;
    }
    return mantissa << exponent;
  }

  private void fill(Expr.Table e, int target) {
    int start = out.free();
    int base = target == start - 1 ? target : moved(target);
    int first = out.free();
    int stored = 0;
    int pending = 0;
    for (int i = 0; i < e.fields().size(); i++) {
      Expr.Field field = e.fields().get(i);
      if (pending == FIELDS_PER_FLUSH) {
        out.emit(Op.SETLIST, base, pending + 1, stored + 1, field.line());
        stored += pending;
        pending = 0;
        out.free(first);
      }
      if (field.key() != null) {
        keyed(field.key(), field, base);
      } else if (i == e.fields().size() - 1 && field.value().isMulti()) {
        open(field.value(), -1);
        out.emit(Op.SETLIST, base, 0, stored + 1, field.line());
        pending = 0;
      } else {
        next(field.value());
        pending++;
      }
    }
    if (pending > 0) out.emit(Op.SETLIST, base, pending + 1, stored + 1, e.line());
    out.free(start);
  }

  /** Items must follow their table, so the table is copied to a second register. */
  private int moved(int table) {
    int register = out.reserve(1);
    out.emit(Op.MOVE, register, table, 0, 0);
    return register;
  }

  private void keyed(Expr key, Expr.Field field, int table) {
    int free = out.free();
    if (isImmediateKey(key)) {
      int value = any(field.value());
      Object constant = ((Expr.Constant) key).value();
      if (constant instanceof Double number) {
        out.emit(Op.SETINT, table, value, (int) (double) number, field.line());
      } else {
        out.emit(Op.SETFIELD, table, value, out.constant(constant), field.line());
      }
    } else {
      int[] pair = pair(key, field.value());
      out.emit(Op.SETINDEX, table, pair[0], pair[1], field.line());
    }
    out.free(free);
  }
}
