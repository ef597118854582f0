package dev.kermes.lua.compile;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Generates instructions for statements. One generator per function. */
final class Generator {

  private final FunctionBody body;
  private final FunctionBuilder out;
  private final ExpressionGenerator expressions;
  private final ConditionGenerator conditions;
  private Jumps breaks = new Jumps();

  Generator(FunctionBody body, Lexer lexer) {
    this.body = body;
    out = new FunctionBuilder(lexer);
    expressions = new ExpressionGenerator(out, lexer);
    conditions = expressions.conditions();
  }

  Prototype function() {
    for (Variable parameter : body.parameters) {
      parameter.register = out.reserve(1);
      if (parameter.isCaptured) out.emit(Op.BOX, parameter.register, 0, 0, body.line);
    }
    block(body.block);
    out.emit(Op.RETURN, 0, 1, 0, body.lastLine);
    return new Prototype(out, body);
  }

  private void block(List<Stat> statements) {
    int free = out.free();
    for (Stat statement : statements) statement(statement);
    out.free(free);
  }

  private void statement(Stat statement) {
    switch (statement) {
      case Stat.Local s -> local(s);
      case Stat.LocalFunction s -> localFunction(s);
      case Stat.Assign s -> assign(s);
      case Stat.CallStat s -> call(s);
      case Stat.Do s -> block(s.body());
      case Stat.While s -> whileLoop(s);
      case Stat.Repeat s -> repeatLoop(s);
      case Stat.If s -> ifStatement(s);
      case Stat.NumericFor s -> numericFor(s);
      case Stat.GenericFor s -> genericFor(s);
      case Stat.Return s -> returnStatement(s);
      case Stat.Break s -> breaks.add(out.emit(Op.JUMP, 0, 0, 0, s.line()));
    }
  }

  // Variables

  private void local(Stat.Local s) {
    int first = out.free();
    expressions.adjusted(s.values(), s.variables().size(), s.line());
    for (int i = 0; i < s.variables().size(); i++) {
      Variable variable = s.variables().get(i);
      variable.register = first + i;
      if (variable.isCaptured) out.emit(Op.BOX, first + i, 0, 0, s.line());
    }
  }

  private void localFunction(Stat.LocalFunction s) {
    Variable variable = s.variable();
    variable.register = out.reserve(1);
    if (!variable.isCaptured) {
      expressions.to(s.function(), variable.register);
      return;
    }
    out.emit(Op.NEWCELL, variable.register, 0, 0, s.line());
    int function = expressions.next(s.function());
    out.emit(Op.SETCELL, variable.register, function, 0, s.line());
    out.free(function);
  }

  private void assign(Stat.Assign s) {
    int free = out.free();
    if (s.targets().size() == 1 && s.values().size() == 1) {
      assignOne(s.targets().getFirst(), s.values().getFirst(), s.line());
    } else {
      assignMany(s);
    }
    out.free(free);
  }

  private void assignOne(Expr target, Expr value, int line) {
    if (target instanceof Expr.Local(Variable v) && !v.isCaptured) {
      expressions.toLocal(value, v.register);
      return;
    }
    Place place = place(target, false);
    store(target, place, expressions.any(value), line);
  }

  /** Evaluates the parts of the targets, then the values; stores from last to first. */
  private void assignMany(Stat.Assign s) {
    int count = s.targets().size();
    boolean copies = s.targets().stream().anyMatch(Expr.Local.class::isInstance);
    Place[] places = new Place[count];
    for (int i = 0; i < count; i++) places[i] = place(s.targets().get(i), copies);
    int first = out.free();
    expressions.adjusted(s.values(), count, s.line());
    for (int i = count - 1; i >= 0; i--) store(s.targets().get(i), places[i], first + i, s.line());
  }

  /** Registers of an indexed target; the key's is -1 if it is a constant of the instruction. */
  private record Place(int object, int key) {}

  private static final Place NOWHERE = new Place(0, 0);

  private Place place(Expr target, boolean copies) {
    if (!(target instanceof Expr.Index index)) return NOWHERE;
    int object = copies ? expressions.next(index.object()) : expressions.any(index.object());
    if (expressions.isImmediateKey(index.key())) return new Place(object, -1);
    return new Place(object, copies ? expressions.next(index.key()) : expressions.any(index.key()));
  }

  private void store(Expr target, Place place, int value, int line) {
    switch (target) {
      case Expr.Local e -> {
        Variable v = e.variable();
        out.emit(v.isCaptured ? Op.SETCELL : Op.MOVE, v.register, value, 0, line);
      }
      case Expr.Upvalue e -> out.emit(Op.SETUP, value, e.index(), 0, line);
      case Expr.Global e -> out.emit(Op.SETGLOBAL, value, 0, out.constant(e.name()), line);
      case Expr.Index e -> {
        int pc = storeIndexed(e, place, value, line);
        out.note(pc, 0, e.object());
      }
      default -> throw new AssertionError("no variable: " + target);
    }
  }

  private int storeIndexed(Expr.Index e, Place place, int value, int line) {
    if (place.key() >= 0) return out.emit(Op.SETINDEX, place.object(), place.key(), value, line);
    Object key = ((Expr.Constant) e.key()).value();
    return key instanceof Double number
        ? out.emit(Op.SETINT, place.object(), value, (int) (double) number, line)
        : out.emit(Op.SETFIELD, place.object(), value, out.constant(key), line);
  }

  private void call(Stat.CallStat s) {
    int free = out.free();
    expressions.call(s.call(), 0);
    out.free(free);
  }

  // Control

  private void whileLoop(Stat.While s) {
    Jumps outer = breaks;
    breaks = new Jumps();
    int start = out.pc();
    conditions.branch(s.condition(), false, breaks);
    block(s.body());
    out.emit(Op.LOOP, 0, 0, start, s.line());
    breaks.patch(out, out.pc());
    breaks = outer;
  }

  private void repeatLoop(Stat.Repeat s) {
    Jumps outer = breaks;
    breaks = new Jumps();
    int start = out.pc();
    int free = out.free();
    for (Stat statement : s.body()) statement(statement);
    conditions.branch(s.condition(), true, breaks);
    out.free(free);
    out.emit(Op.LOOP, 0, 0, start, s.line());
    breaks.patch(out, out.pc());
    breaks = outer;
  }

  private void ifStatement(Stat.If s) {
    Jumps end = new Jumps();
    for (int i = 0; i < s.conditions().size(); i++) {
      Jumps otherwise = new Jumps();
      conditions.branch(s.conditions().get(i), false, otherwise);
      block(s.blocks().get(i));
      if (i + 1 < s.blocks().size()) end.add(out.emit(Op.JUMP, 0, 0, 0, s.line()));
      otherwise.patch(out, out.pc());
    }
    if (s.blocks().size() > s.conditions().size()) block(s.blocks().getLast());
    end.patch(out, out.pc());
  }

  private void numericFor(Stat.NumericFor s) {
    int free = out.free();
    int base = expressions.next(s.start());
    expressions.next(s.limit());
    expressions.next(stepOf(s.step()));
    int prepare = out.emit(Op.FORPREP, base, 0, 0, s.doLine());
    int start = out.pc();
    forBody(List.of(s.variable()), s.body(), s.line(), base, prepare, Op.FORLOOP, start);
    out.free(free);
  }

  private static Expr stepOf(@Nullable Expr step) {
    return step == null ? new Expr.Constant(1.0) : step;
  }

  private void genericFor(Stat.GenericFor s) {
    int free = out.free();
    int base = out.free();
    expressions.adjusted(s.values(), 3, s.line());
    int enter = out.emit(Op.JUMP, 0, 0, 0, s.line());
    int start = out.pc();
    forBody(s.variables(), s.body(), s.line(), base, enter, Op.TFORLOOP, start);
    out.free(free);
  }

  private void forBody(
      List<Variable> variables,
      List<Stat> statements,
      int line,
      int base,
      int enter,
      int loopOp,
      int start) {
    Jumps outer = breaks;
    breaks = new Jumps();
    int first = out.reserve(variables.size());
    out.ensure(3);
    for (int i = 0; i < variables.size(); i++) {
      Variable variable = variables.get(i);
      variable.register = first + i;
      if (variable.isCaptured) out.emit(Op.BOX, first + i, 0, 0, line);
    }
    block(statements);
    out.patch(enter, out.pc());
    if (loopOp == Op.TFORLOOP) out.emit(Op.TFORCALL, base, variables.size(), 0, line);
    out.emit(loopOp, base, 0, start, line);
    breaks.patch(out, out.pc());
    breaks = outer;
  }

  private void returnStatement(Stat.Return s) {
    int free = out.free();
    List<Expr> values = s.values();
    Expr only = values.size() == 1 ? values.getFirst() : null;
    if (only instanceof Expr.Call || only instanceof Expr.Method) {
      int function = out.free();
      expressions.call(only, -1);
      out.patchLast(Op.TAILCALL, out.lastB(), 0);
      out.emit(Op.RETURN, function, 0, 0, s.line());
    } else if (only != null && !only.isMulti()) {
      out.emit(Op.RETURN, expressions.any(only), 2, 0, s.line());
    } else {
      int first = out.free();
      boolean isOpen = expressions.list(values);
      out.emit(Op.RETURN, first, isOpen ? 0 : values.size() + 1, 0, s.line());
    }
    out.free(free);
  }
}
