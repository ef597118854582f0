package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.Coroutine.Status;
import dev.kermes.lua.Frame.Kind;
import dev.kermes.lua.Frame.Then;
import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls, returns, protected calls, coroutines, and errors that unwind the stack.
 *
 * <pre>
 *   function | argument 1 | argument 2 | ...          before a call
 *   function | arguments ... | registers ...          during one with "...": registers follow them
 *   result 1 | result 2 | ...                         after it
 * </pre>
 */
final class Calls {

  /** Registers beyond a function's own: room for a metamethod with its arguments. */
  private static final int SPARE = 8;

  private final Interpreter interpreter;
  private final LuaState state;
  private final LuaCall call;
  private final int depthMax;

  Calls(Interpreter interpreter) {
    this.interpreter = interpreter;
    state = interpreter.state;
    call = new LuaCall(state);
    depthMax = state.limits().callDepth();
  }

  // Calls

  /** Executes CALL. */
  void perform(Coroutine co, int a, long i) {
    int b = Op.b(i);
    int count = b == 0 ? co.top - a - 1 : b - 1;
    int wanted = Op.c(i) - 1;
    Object callee = co.values[a];
    if (callee instanceof LuaClosure closure) { // a class is checked faster than an interface
      enter(co, closure, a, count, wanted, Then.DELIVER);
    } else if (callee instanceof LuaFunction function) {
      callJava(function, a, count, wanted, Then.DELIVER);
      return;
    } else {
      call(a, count, wanted, Then.DELIVER);
    }
    interpreter.tick();
  }

  /** Executes TAILCALL. */
  void performTail(Coroutine co, Frame frame, int a, long i) {
    int b = Op.b(i);
    tailCall(frame, a, b == 0 ? co.top - a - 1 : b - 1);
    interpreter.tick();
  }

  /** Executes RETURN. */
  void performReturn(Coroutine co, Frame frame, int a, long i) {
    int b = Op.b(i);
    returned(co, frame, a, b == 0 ? co.top - a : b - 1);
  }

  /** Calls the value at {@code function} with the values that follow it. */
  void call(int function, int count, int wanted, Then then) {
    Coroutine co = interpreter.current;
    Object callee = co.values[function];
    if (callee instanceof LuaClosure closure) {
      enter(co, closure, function, count, wanted, then);
    } else if (callee instanceof LuaFunction java) {
      callJava(java, function, count, wanted, then);
    } else {
      callMetamethod(co, function, count, 0);
      call(function, count + 1, wanted, then);
    }
  }

  private void callMetamethod(Coroutine co, int function, int count, int operand) {
    Object callee = co.values[function];
    Object metamethod = MetatableKeys.of(state.metatableOf(callee), MetatableKeys.CALL);
    if (!LuaValues.isFunction(metamethod)) {
      throw interpreter.metamethods.operandError("call", callee, operand);
    }
    co.ensure(function + count + 2);
    co.move(function, function + 1, count + 1);
    co.values[function] = metamethod;
  }

  /** Calls a Lua function. */
  void enter(Coroutine co, LuaClosure closure, int function, int count, int wanted, Then then) {
    Prototype p = closure.code;
    if (co.depth >= depthMax) throw runtimeError("stack overflow");
    int base = function + 1;
    co.ensure(base + count + p.registerCount + SPARE);
    if (p.isVararg) {
      base = spread(co, closure, base, count);
    } else {
      co.fillNil(base + count, base + p.parameterCount);
    }
    Frame frame = co.pushFrame();
    if (frame.kind != Kind.LUA) frame.kind = Kind.LUA; // a store into an old object costs a fence
    if (frame.closure != closure) frame.closure = closure;
    if (frame.then != then) frame.then = then;
    frame.function = function;
    frame.base = base;
    frame.pc = 0;
    frame.wanted = wanted;
    frame.tailCalls = 0;
    frame.isBoundary = false;
  }

  /** Moves the registers of a function with "..." behind its arguments. */
  private int spread(Coroutine co, LuaClosure closure, int arguments, int count) {
    Prototype p = closure.code;
    int base = arguments + count;
    int fixed = p.parameterCount;
    co.fillNil(base, base + fixed + 1);
    co.move(arguments, base, Math.min(fixed, count));
    if (p.needsArg) co.values[base + fixed] = argTable(co, arguments + fixed, base);
    return base;
  }

  private LuaTable argTable(Coroutine co, int from, int end) {
    int count = Math.max(0, end - from);
    LuaTable table = new LuaTable(state.memory(), count, 1);
    for (int i = 0; i < count; i++) {
      table.set(NUMBER, i + 1, co.values[from + i], co.numbers[from + i]);
    }
    return table.put("n", (double) count);
  }

  /** Runs a library function. */
  void callJava(LuaFunction function, int at, int count, int wanted, Then then) {
    Coroutine co = interpreter.current;
    call.begin(co, at + 1, count);
    function.call(call);
    if (call.request != LuaCall.Request.NONE) {
      carryOut(co, at, wanted, then);
    } else if (then == Then.DELIVER) {
      deliver(co, at, call.resultsFrom(), call.resultCount(), wanted);
    } else {
      deliver(co, at, call.resultsFrom(), call.resultCount(), wanted, then);
    }
  }

  void tailCall(Frame frame, int function, int count) {
    Coroutine co = interpreter.current;
    if (!(co.values[function] instanceof LuaClosure closure)) {
      call(function, count, -1, Then.DELIVER);
      return;
    }
    int to = frame.function;
    int tailCalls = frame.tailCalls + 1;
    boolean isBoundary = frame.isBoundary;
    co.depth--;
    co.move(function, to, count + 1);
    enter(co, closure, to, count, frame.wanted, frame.then);
    frame.tailCalls = tailCalls;
    frame.isBoundary = isBoundary;
  }

  /** Starts a call from outside a function's code: nothing may yield through it. */
  void callThroughBoundary(int function, int count, int wanted, Then then) {
    Coroutine co = interpreter.current;
    Object callee = co.values[function];
    if (callee instanceof LuaClosure closure) {
      enterBoundary(co);
      enter(co, closure, function, count, wanted, then);
      co.frame().isBoundary = true;
    } else if (callee instanceof LuaFunction java) {
      callJava(java, function, count, wanted, then);
    } else {
      callMetamethod(co, function, count, -1);
      callThroughBoundary(function, count + 1, wanted, then);
    }
  }

  private void enterBoundary(Coroutine co) {
    int max = state.limits().nativeDepth();
    if (co.nativeDepth + 1 >= max + max / 8) throw LuaError.inHandler();
    if (++co.nativeDepth == max) throw runtimeError("C stack overflow");
  }

  // Returns

  /** Ends the frame on top, whose results are at {@code from}. */
  void returned(Coroutine co, Frame frame, int from, int count) {
    co.depth--;
    if (frame.isBoundary) co.nativeDepth--;
    if (frame.then == Then.DELIVER) deliver(co, frame.function, from, count, frame.wanted);
    else deliver(co, frame.function, from, count, frame.wanted, frame.then);
  }

  private void deliver(Coroutine co, int to, int from, int count, int wanted, Then then) {
    switch (then) {
      case DELIVER -> deliver(co, to, from, count, wanted);
      case FINISH_INSTRUCTION -> finish(co, from, count, false);
      case FINISH_NEGATED -> finish(co, from, count, true);
      case SUCCEED -> {
        co.ensure(to + count + SPARE);
        co.move(from, to, count);
        endProtected(co, true, count);
      }
      case HANDLE -> {
        Object value = count > 0 ? co.boxed(from) : null;
        fail(co, protectedFrame(co), value);
      }
      case END -> end(co, from, count);
    }
  }

  private static void deliver(Coroutine co, int to, int from, int count, int wanted) {
    if (wanted == 1 && count > 0) {
      co.set(to, co.values[from], co.numbers[from]);
    } else if (wanted < 0) {
      co.ensure(to + count + SPARE);
      co.move(from, to, count);
      co.top = to + count;
    } else {
      co.move(from, to, Math.min(count, wanted));
      co.fillNil(to + count, to + wanted);
    }
  }

  private void finish(Coroutine co, int from, int count, boolean negated) {
    Object value = count > 0 ? co.values[from] : null;
    double number = value == NUMBER ? co.numbers[from] : 0;
    interpreter.metamethods.finish(co.frame(), value, number, negated);
  }

  /**
   * Ends a coroutine: the main one finishes the execution, another one delivers its results to its
   * resumer.
   */
  private void end(Coroutine co, int from, int count) {
    if (co.resumer == null) {
      co.top = from + count;
      state.execution().finished(from, count);
      interpreter.isFinished = true;
    } else {
      handToResumer(co, from, count);
      co.die();
    }
  }

  // Requests of library functions

  private void carryOut(Coroutine co, int at, int wanted, Then then) {
    int from = call.resultsFrom();
    int count = call.resultCount();
    switch (call.request) {
      case TAIL_CALL -> {
        co.move(from, at, count);
        callThroughBoundary(at, count - 1, wanted, then);
      }
      case PROTECT -> protect(co, at, wanted, then);
      case RESUME -> resume(co, at, wanted, then);
      case YIELD -> giveUp(co, at, wanted, then);
      case NONE -> throw new AssertionError("nothing to carry out");
    }
  }

  private static Frame wait(Coroutine co, Kind kind, int at, int wanted, Then then) {
    Frame frame = co.pushFrame();
    frame.kind = kind;
    frame.closure = null;
    frame.function = at;
    frame.wanted = wanted;
    frame.then = then;
    frame.tailCalls = 0;
    frame.isBoundary = false;
    frame.handler = null;
    return frame;
  }

  /** Implements pcall(f, ...) and xpcall(f, handler). */
  private void protect(Coroutine co, int at, int wanted, Then then) {
    int depth = co.nativeDepth - co.nativeDepthAtResume;
    Frame frame = wait(co, Kind.PROTECTED, at, wanted, then);
    frame.nativeDepth = depth;
    int count = call.count() - 1;
    if (call.hasHandler) {
      frame.handler = handlerAt(co, at + 2);
      count = 0;
    }
    enterBoundary(co);
    call(at + 1, count, -1, Then.SUCCEED);
  }

  /** A value that is not callable is kept as it is: only the presence of a handler matters then. */
  private static Object handlerAt(Coroutine co, int at) {
    Object handler = co.boxed(at);
    return handler == null ? LuaString.EMPTY : handler;
  }

  /** Ends the protected call on top; the results are behind its function's index. */
  private void endProtected(Coroutine co, boolean success, int count) {
    Frame frame = co.frame();
    co.depth--;
    co.nativeDepth = co.nativeDepthAtResume + frame.nativeDepth;
    int to = frame.function;
    co.values[to] = success;
    deliver(co, to, to, count + 1, frame.wanted, frame.then);
  }

  // Coroutines

  private void resume(Coroutine co, int at, int wanted, Then then) {
    Coroutine target = Objects.requireNonNull(call.resumed);
    int from = call.firstArgument() + (call.isWrapped ? 0 : 1);
    int count = call.firstArgument() + call.count() - from;
    Kind kind = call.isWrapped ? Kind.RESUME_WRAPPED : Kind.RESUME;
    wait(co, kind, at, wanted, then);
    co.status = Status.NORMAL;
    target.status = Status.RUNNING;
    target.resumer = co;
    target.nativeDepth += co.nativeDepth + 1 - target.nativeDepthAtResume;
    target.nativeDepthAtResume = co.nativeDepth + 1;
    interpreter.current = target;
    if (target.nativeDepthAtResume >= state.limits().nativeDepth()) {
      throw new LuaError("C stack overflow");
    }
    start(target, co, from, count);
  }

  private void start(Coroutine target, Coroutine co, int from, int count) {
    boolean isFresh = target.depth < 0;
    Frame waiting = isFresh ? null : target.frame();
    int to = waiting == null ? 1 : waiting.function;
    copy(co, from, target, to, count);
    if (waiting == null) {
      call(0, count, -1, Then.END);
    } else {
      target.depth--;
      deliver(target, to, to, count, waiting.wanted, waiting.then);
    }
  }

  private static void copy(Coroutine source, int from, Coroutine target, int to, int count) {
    target.ensure(to + count + SPARE);
    System.arraycopy(source.values, from, target.values, to, count);
    System.arraycopy(source.numbers, from, target.numbers, to, count);
  }

  private void giveUp(Coroutine co, int at, int wanted, Then then) {
    if (co.resumer == null || co.nativeDepth > co.nativeDepthAtResume) {
      throw new LuaError("attempt to yield across metamethod/C-call boundary");
    }
    wait(co, Kind.YIELD, at, wanted, then);
    handToResumer(co, call.firstArgument(), call.count());
    co.status = Status.SUSPENDED;
  }

  private void handToResumer(Coroutine co, int from, int count) {
    Frame frame = backToResumer(co);
    Coroutine resumer = interpreter.current;
    int to = frame.function;
    int first = frame.kind == Kind.RESUME ? to + 1 : to;
    copy(co, from, resumer, first, count);
    if (first > to) resumer.values[to] = true;
    deliver(resumer, to, to, first - to + count, frame.wanted, frame.then);
  }

  /** Makes the resumer run; returns its frame that waited. */
  private Frame backToResumer(Coroutine co) {
    Coroutine resumer = Objects.requireNonNull(co.resumer);
    co.resumer = null;
    resumer.status = Status.RUNNING;
    interpreter.current = resumer;
    return resumer.frames[resumer.depth--];
  }

  // Errors

  /** An error of the running code, with its position. */
  LuaError runtimeError(String message) {
    return new LuaError(Positions.prefixed(interpreter.current, 1, message));
  }

  /**
   * Unwinds the stack to the code that catches the error: a protected call or a resume. Rethrows if
   * there is none.
   */
  void unwind(LuaError error) {
    Coroutine co = interpreter.current;
    int at = protectedFrame(co);
    if (at >= 0) {
      Object handler = co.frames[at].handler;
      if (handler == null || error.skipsHandlers()) fail(co, at, error.value());
      else handle(co, handler, error);
    } else if (co.resumer == null) {
      state.execution().failed(error);
      interpreter.isFinished = true;
    } else {
      failResume(co, error);
    }
  }

  private static int protectedFrame(Coroutine co) {
    int at = co.depth;
    while (at >= 0 && co.frames[at].kind != Kind.PROTECTED) at--;
    return at;
  }

  /** Calls the handler of xpcall on top of the failed frames, which it may inspect. */
  private void handle(Coroutine co, Object handler, LuaError error) {
    if (!LuaValues.isFunction(handler)) throw LuaError.inHandler();
    int at = liveTop(co);
    co.ensure(at + SPARE);
    co.values[at] = handler;
    co.setBoxed(at + 1, error.value());
    callThroughBoundary(at, 1, 1, Then.HANDLE);
  }

  private static int liveTop(Coroutine co) {
    Frame frame = co.frame();
    LuaClosure closure = frame.closure;
    return closure == null ? frame.function + 3 : frame.base + closure.code.registerCount;
  }

  /** Ends the protected call at a depth with an error. */
  private void fail(Coroutine co, int at, @Nullable Object value) {
    co.depth = at;
    co.setBoxed(co.frames[at].function + 1, value);
    endProtected(co, false, 1);
  }

  private void failResume(Coroutine co, LuaError error) {
    Frame frame = backToResumer(co);
    co.die();
    Coroutine resumer = interpreter.current;
    if (frame.kind == Kind.RESUME_WRAPPED) throw positioned(resumer, error);
    int to = frame.function;
    resumer.values[to] = false;
    resumer.setBoxed(to + 1, error.value());
    deliver(resumer, to, to, 2, frame.wanted, frame.then);
  }

  /** A function of coroutine.wrap adds the position of its call. */
  private static LuaError positioned(Coroutine resumer, LuaError error) {
    if (error.value() instanceof LuaString || error.value() instanceof Double) {
      return new LuaError(Positions.prefixed(resumer, 1, LuaValues.toLuaString(error.value())));
    }
    return error;
  }

  // Instructions of functions

  /** Calls the iterator of a for loop. */
  void iterate(int a, int wanted) {
    Coroutine co = interpreter.current;
    Object iterator = co.values[a];
    if (co.values[a + 1] instanceof LuaTable table) {
      if (iterator == state.next) {
        advance(co, table, a + 3, wanted);
        return;
      }
      if (iterator == state.nextItem && co.values[a + 2] == NUMBER) {
        advanceItem(co, table, a + 3, wanted);
        return;
      }
    }
    co.move(a, a + 3, 3);
    callThroughBoundary(a + 3, 2, wanted, Then.DELIVER);
  }

  /** Performs {@code next} without a call; the key is before the results. */
  private static void advance(Coroutine co, LuaTable table, int at, int wanted) {
    int place = table.placeAfter(co.values[at - 1], co.numbers[at - 1]);
    if (place < 0) {
      co.fillNil(at, at + wanted);
      return;
    }
    Object key = table.keyAt(place);
    deliverPair(co, at, key, key == NUMBER ? table.keyNumberAt(place) : 0, table, place, wanted);
  }

  /** Performs the iterator of {@code ipairs} without a call; the index is before the results. */
  private static void advanceItem(Coroutine co, LuaTable table, int at, int wanted) {
    int index = (int) LuaValues.toInteger(co.numbers[at - 1]) + 1;
    int place = table.find(index);
    if (table.objectAt(place) == null) co.fillNil(at, at + wanted);
    else deliverPair(co, at, NUMBER, index, table, place, wanted);
  }

  private static void deliverPair(
      Coroutine co,
      int at,
      @Nullable Object key,
      double keyNumber,
      LuaTable table,
      int place,
      int wanted) {
    co.set(at, key, keyNumber);
    if (wanted < 2) return;
    Object value = table.objectAt(place);
    co.set(at + 1, value, value == NUMBER ? table.numberAt(place) : 0);
    co.fillNil(at + 2, at + wanted);
  }

  void closure(Frame frame, int a, int function) {
    Coroutine co = interpreter.current;
    LuaClosure enclosing = Objects.requireNonNull(frame.closure);
    Prototype p = enclosing.code.functions[function];
    state.memory().add(48 + 8L * p.captureCount());
    LuaClosure closure = new LuaClosure(p, enclosing.globals);
    for (int i = 0; i < p.captureCount(); i++) {
      int from = p.captures[i];
      Object cell = from < 0 ? enclosing.cells[~from] : co.values[frame.base + from];
      closure.cells[i] = (Cell) Objects.requireNonNull(cell);
    }
    co.values[a] = closure;
  }

  void vararg(Coroutine co, Frame frame, int a, int wanted) {
    int fixed = Objects.requireNonNull(frame.closure).code.parameterCount;
    int from = frame.function + 1 + fixed;
    int count = Math.max(0, frame.base - from);
    deliver(co, a, from, count, wanted);
  }

  /** Items of a table constructor. */
  void setList(Coroutine co, int a, int countPlusOne, int first) {
    int count = countPlusOne == 0 ? co.top - a - 1 : countPlusOne - 1;
    LuaTable table = (LuaTable) Objects.requireNonNull(co.values[a]);
    table.growArray(first + count - 1);
    for (int i = count; i > 0; i--) {
      table.set(NUMBER, first + i - 1, co.values[a + i], co.numbers[a + i]);
    }
  }
}
