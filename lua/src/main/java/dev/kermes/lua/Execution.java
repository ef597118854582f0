package dev.kermes.lua;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One run of a function, from its start to its results or its error. It runs slice by slice, so
 * that its owner can do other work in between.
 */
public final class Execution {

  /** The outcome of a slice. */
  public enum Status {
    /** The run is not finished. */
    SUSPENDED,
    /** The results are available. */
    FINISHED,
    /** The run has failed. */
    FAILED
  }

  private final LuaState state;
  private final Coroutine main;
  private final Interpreter interpreter;
  private boolean isUnderWay;
  private boolean isForgotten = true;
  private int resultsFrom;
  private int resultCount;
  private @Nullable LuaError error;
  private @Nullable String stopMessage;
  private LuaString errorSource = LuaString.EMPTY;
  private int errorLine;

  Execution(LuaState state) {
    this.state = state;
    main = new Coroutine(state.memory());
    interpreter = new Interpreter(state, main);
  }

  Coroutine main() {
    return main;
  }

  Coroutine current() {
    return interpreter.current;
  }

  void spend(int work) {
    interpreter.spend(work);
  }

  /** Prepares the run of a function with arguments; {@link #run} executes it. */
  public void start(LuaClosure function, @Nullable Object... arguments) {
    if (isUnderWay) throw new IllegalStateException("an execution is under way");
    if (!isForgotten) forget();
    isForgotten = false;
    isUnderWay = true;
    main.status = Coroutine.Status.RUNNING;
    main.ensure(arguments.length + 1);
    main.values[0] = function;
    for (int i = 0; i < arguments.length; i++) main.setBoxed(i + 1, arguments[i]);
    if (interpreter.current != main) interpreter.current = main;
    interpreter.isFinished = false;
    interpreter.calls.call(0, arguments.length, -1, Frame.Then.END);
  }

  private void forget() {
    main.clear();
    error = null;
    stopMessage = null;
    resultCount = 0;
    isForgotten = true;
    state.forgetStop();
  }

  /** Continues for about {@code ticks} calls and backward jumps. */
  public Status run(long ticks) {
    if (!isUnderWay) throw new IllegalStateException("no execution is under way");
    try {
      interpreter.run(ticks);
    } catch (LuaStopped e) {
      stopMessage = e.getMessage();
      failed(new LuaError(Bytes.text(Objects.requireNonNull(e.getMessage()))));
    } catch (RuntimeException | Error e) {
      isUnderWay = false; // our own fault ends this run, not every later one
      throw e;
    }
    if (error != null) return Status.FAILED;
    return isUnderWay ? Status.SUSPENDED : Status.FINISHED;
  }

  /** Continues to the end. */
  public Status run() {
    Status status = run(Long.MAX_VALUE);
    while (status == Status.SUSPENDED) status = run(Long.MAX_VALUE);
    return status;
  }

  /** Whether it has begun and not ended. */
  public boolean isUnderWay() {
    return isUnderWay;
  }

  void finished(int from, int count) {
    isUnderWay = false;
    resultsFrom = from;
    resultCount = count;
  }

  void failed(LuaError raised) {
    Frame frame = Positions.innermost(interpreter.current);
    errorLine = Positions.line(frame);
    errorSource = frame == null ? LuaString.EMPTY : sourceOf(frame);
    isUnderWay = false;
    error = raised;
  }

  private static LuaString sourceOf(Frame frame) {
    return Objects.requireNonNull(frame.closure).code.source;
  }

  /** The number of results, once it has ended. */
  public int resultCount() {
    return resultCount;
  }

  /** Returns a result, counted from 1; null for nil. */
  public @Nullable Object result(int i) {
    return i > resultCount ? null : main.boxed(resultsFrom + i - 1);
  }

  /** Whether it ended with an error. */
  public boolean hasFailed() {
    return error != null;
  }

  /** Returns the error value of the function. */
  public @Nullable Object error() {
    return error == null ? null : error.value();
  }

  /** Whether it ended by {@link LuaState#stop}. */
  public boolean isStopped() {
    return stopMessage != null;
  }

  /** Returns the source of the Lua function that failed, such as {@code @user_script}. */
  public LuaString errorSource() {
    return errorSource;
  }

  /** The line at which it failed. */
  public int errorLine() {
    return errorLine;
  }

  /** Releases results and errors. */
  public void clear() {
    if (isUnderWay) throw new IllegalStateException("an execution is under way");
    forget();
  }
}
