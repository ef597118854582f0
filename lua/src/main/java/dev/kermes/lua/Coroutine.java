package dev.kermes.lua;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A Lua thread: a stack of values and a stack of calls, both in arrays. It does not use the Java
 * stack.
 */
public final class Coroutine {

  /** The result of {@code coroutine.status}. */
  enum Status {
    SUSPENDED,
    RUNNING,
    NORMAL,
    DEAD
  }

  private static final int STACK_START = 128;

  /**
   * 512: more than nearly all scripts use; a new array of this size costs as much as clearing it.
   */
  private static final int STACK_KEPT = 512;

  private static final int STACK_MAX = 8_000_000;
  private static final int FRAMES_START = 8;
  private static final int FEW = 4;
  static final int SLOT_BYTES = 12;

  private final MemoryEstimate memory;
  @Nullable Object[] values = new @Nullable Object[STACK_START];
  double[] numbers = new double[STACK_START];

  /** One past the last value, after instructions that leave a variable number of values. */
  int top;

  Frame[] frames = new Frame[FRAMES_START];

  /** Index of the frame on top; -1 if there is none. */
  int depth = -1;

  int nativeDepth;
  int nativeDepthAtResume;
  Status status = Status.SUSPENDED;
  @Nullable Coroutine resumer;

  int mark;

  Coroutine(MemoryEstimate memory) {
    this.memory = memory;
    memory.add((long) SLOT_BYTES * STACK_START);
  }

  Frame frame() {
    return frames[depth];
  }

  Frame pushFrame() {
    int at = ++depth;
    if (at == frames.length) frames = Arrays.copyOf(frames, 2 * at);
    Frame frame = frames[at];
    if (frame == null) {
      frame = new Frame();
      frames[at] = frame;
    }
    return frame;
  }

  void ensure(int size) {
    if (size > values.length) grow(size);
  }

  private void grow(int size) {
    if (size > STACK_MAX) throw new LuaError("stack overflow");
    int length = Math.max(size, 2 * values.length);
    memory.reserve((long) SLOT_BYTES * (length - values.length));
    values = Arrays.copyOf(values, length);
    numbers = Arrays.copyOf(numbers, length);
  }

  void set(int at, @Nullable Object value, double number) {
    if (values[at] != value) values[at] = value;
    numbers[at] = number;
  }

  /** Sets a value, given as an object; numbers are {@link Double}s. */
  void setBoxed(int at, @Nullable Object value) {
    if (value instanceof Double number) set(at, LuaValues.NUMBER, number);
    else values[at] = value;
  }

  /** Returns a value as an object; numbers are {@link Double}s. */
  @Nullable Object boxed(int at) {
    Object value = values[at];
    return value == LuaValues.NUMBER ? (Object) numbers[at] : value;
  }

  /** Moves values within the stack; a few of them one by one, since an array copy is a call. */
  void move(int from, int to, int count) {
    if (from == to || count == 0) return;
    if (count <= FEW && to < from) {
      for (int i = 0; i < count; i++) set(to + i, values[from + i], numbers[from + i]);
      return;
    }
    System.arraycopy(values, from, values, to, count);
    System.arraycopy(numbers, from, numbers, to, count);
  }

  void fillNil(int from, int end) {
    for (int i = from; i < end; i++) values[i] = null;
  }

  /** One past the last value that the active calls may still use, and a few more. */
  int liveEnd() {
    Frame frame = frame();
    LuaClosure closure = frame.closure;
    int end = closure == null ? frame.function : frame.base + closure.code.registerCount;
    return Math.max(end, top) + 16;
  }

  /**
   * Clears the stacks. The array of values is a new one: the collector regards it as young, and a
   * store into a young object needs no fence. In an old array each change of a register from an
   * object to a number, or back, costs one.
   */
  void clear() {
    if (values.length > STACK_KEPT) {
      numbers = new double[STACK_START];
      frames = new Frame[FRAMES_START];
    }
    values = new @Nullable Object[numbers.length];
    depth = -1;
    nativeDepth = 0;
  }

  /** Returns the status for the running code: suspended, running, normal or dead. */
  public String statusName() {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** Whether it is the coroutine with which the execution started. */
  public boolean isMain() {
    return this == memory.state().execution().main();
  }

  /** Ends the coroutine and releases its values. */
  void die() {
    status = Status.DEAD;
    depth = -1;
    values = new @Nullable Object[0];
    numbers = new double[0];
    frames = new Frame[0];
  }
}
