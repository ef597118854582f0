package dev.kermes.lua;

import static dev.kermes.lua.LuaValues.NUMBER;

import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs bytecode. Hot path: executed per instruction; no allocation for numbers.
 *
 * <p><b>Stackless.</b> The interpreter is one loop, {@link #execute}, over the top {@link Frame} of
 * the current {@link Coroutine}. A call pushes a frame and lets the loop continue in it; a return
 * pops the frame. Protected calls, metamethods, iterators and coroutines are frames as well, so Lua
 * code never deepens the Java stack. Library functions that call back are written in Lua ({@link
 * NativeCode}) for the same reason. That has four consequences. A run can stop at any call or
 * backward jump, because its whole state is in the frames, and {@link #run} resumes it later. An
 * error is a Java exception only up to {@link #run}, which then unwinds frames to the protected
 * call; {@link LuaStopped} is a different exception that leaves {@link #run}, so {@code pcall}
 * cannot catch a request to stop. Deep recursion is a Lua error, raised by the limit of frames. A
 * coroutine costs a few arrays and no thread.
 *
 * <p><b>Registers.</b> A register is one index into two arrays: the object, and a double that
 * counts if the object is {@link LuaValues#NUMBER}. So arithmetic on numbers touches only the
 * double array and allocates nothing. An instruction whose operands are not plain numbers, strings
 * or tables leaves the loop for {@link Metamethods}, which may push a frame and later completes the
 * instruction with its result.
 *
 * <p><b>Budget.</b> Every call and backward jump costs a tick. After {@value #SLICE} ticks the loop
 * checks for a stop request and for the end of its budget; library functions charge their work to
 * the same account ({@link #spend}).
 *
 * <p><b>Limit.</b> {@link #execute} must stay below the 8,000 bytes of bytecode up to which HotSpot
 * compiles a method. Rare work is therefore in {@link Metamethods} and {@link Calls}.
 */
final class Interpreter {

  /** Ticks (backward jumps and calls) between checks for a stop request. */
  private static final int SLICE = 1024;

  final LuaState state;
  final Calls calls;
  final Metamethods metamethods;
  Coroutine current;
  boolean isFinished;
  boolean isSuspended;
  private int ticks;
  private long budget;

  Interpreter(LuaState state, Coroutine main) {
    this.state = state;
    current = main;
    calls = new Calls(this);
    metamethods = new Metamethods(this);
  }

  /**
   * Continues for about {@code tickBudget} ticks; returns when finished or suspended, or throws an
   * error.
   */
  void run(long tickBudget) {
    budget = tickBudget;
    ticks = (int) Math.min(SLICE, tickBudget);
    isSuspended = false;
    LuaError error = null;
    while (!isFinished && !isSuspended) {
      try {
        if (error == null) {
          execute();
        } else {
          LuaError raised = error;
          error = null;
          calls.unwind(raised);
        }
      } catch (LuaError e) {
        error = e;
      } catch (StackOverflowError e) {
        error = new LuaError("stack overflow"); // raised in a library function
      } catch (OutOfMemoryError e) {
        error = LuaError.outOfMemory();
      }
    }
  }

  /** Counts work of library functions, and stops the execution on request. */
  void spend(int work) {
    ticks -= work;
    state.stopIfAsked();
  }

  /** Counts a call. */
  void tick() {
    if (--ticks > 0) return;
    boolean unused = endSlice();
  }

  /** Ends a slice; returns whether the run is suspended. */
  private boolean endSlice() {
    state.stopIfAsked();
    budget -= SLICE - ticks;
    ticks = (int) Math.min(SLICE, budget);
    isSuspended = budget <= 0;
    return isSuspended;
  }

  /**
   * Executes instructions of the frame on top, and of those after it.
   *
   * <p>HotSpot moves an expression that two instructions have in common in front of the switch,
   * where every instruction computes it and stores it on the stack. So what several instructions
   * need is behind the switch, once: the call for rare operands ({@code slow}) and the tick of a
   * backward jump ({@code tick}). Calls decode their own operands. With that a loop of additions
   * takes three quarters of the time.
   */
  @SuppressWarnings({
    "NullAway", // the compiler guarantees the kinds of registers and constants
    "LabelledBreakTarget" // the two exits of the switch
  })
  private void execute() {
    while (!isFinished && !isSuspended) {
      Coroutine co = current;
      Frame frame = co.frames[co.depth];
      LuaClosure closure = Objects.requireNonNull(frame.closure);
      Prototype p = closure.code;
      long[] code = p.code;
      @Nullable Object[] k = p.constants;
      double[] kn = p.numbers;
      @Nullable Object[] v = co.values;
      double[] n = co.numbers;
      Cell[] cells = closure.cells;
      Calls calls = this.calls;
      int base = frame.base;
      int pc = frame.pc;
      frame:
      for (; ; ) {
        long i = code[pc++];
        int w = (int) i;
        int a = base + (w >>> 8 & 0xff);
        slow:
        {
          tick:
          {
            switch (w & 0xff) {
              case Op.MOVE -> {
                int b = base + (w >>> 16);
                Object value = v[b];
                if (value == NUMBER) n[a] = n[b];
                if (v[a] != value) v[a] = value;
              }
              case Op.LOADK -> {
                int c = (int) (i >>> 32);
                Object value = k[c];
                if (value instanceof Double) {
                  n[a] = kn[c];
                  value = NUMBER;
                }
                if (v[a] != value) v[a] = value;
              }
              case Op.LOADNIL -> {
                for (int end = a + (w >>> 16), r = a; r < end; r++) v[r] = null;
              }
              case Op.LOADBOOL -> v[a] = (w >>> 16) != 0;
              case Op.GETCELL -> {
                Cell cell = (Cell) v[base + (w >>> 16)];
                n[a] = cell.number;
                v[a] = cell.value;
              }
              case Op.SETCELL -> {
                Cell cell = (Cell) v[a];
                int b = base + (w >>> 16);
                cell.number = n[b];
                if (cell.value != v[b]) cell.value = v[b];
              }
              case Op.NEWCELL -> v[a] = new Cell();
              case Op.BOX -> {
                Cell cell = new Cell();
                cell.value = v[a];
                cell.number = n[a];
                v[a] = cell;
              }
              case Op.GETUP -> {
                Cell cell = cells[w >>> 16];
                n[a] = cell.number;
                if (v[a] != cell.value) v[a] = cell.value;
              }
              case Op.SETUP -> {
                Cell cell = cells[w >>> 16];
                cell.number = n[a];
                if (cell.value != v[a]) cell.value = v[a];
              }
              case Op.GETGLOBAL -> {
                LuaTable globals = closure.globals;
                int place = globals.findString((LuaString) k[(int) (i >>> 32)]);
                Object value = globals.objectAt(place);
                if (value == NUMBER) {
                  n[a] = globals.numberAt(place);
                } else if (value == null && globals.metatable() != null) {
                  break slow;
                }
                if (v[a] != value) v[a] = value;
              }
              case Op.SETGLOBAL -> {
                break slow;
              }
              case Op.GETFIELD -> {
                if (v[base + (w >>> 16)] instanceof LuaTable table) {
                  int place = table.findString((LuaString) k[(int) (i >>> 32)]);
                  Object value = table.objectAt(place);
                  if (value == NUMBER) {
                    n[a] = table.numberAt(place);
                    if (v[a] != NUMBER) v[a] = NUMBER;
                    continue;
                  }
                  if (value != null || table.metatable() == null) {
                    v[a] = value;
                    continue;
                  }
                }
                break slow;
              }
              case Op.GETINT -> {
                if (v[base + (w >>> 16)] instanceof LuaTable table) {
                  int index = (int) (i >>> 32) - 1;
                  Object value = table.inArray(index);
                  if (value != null) {
                    if (value == NUMBER) n[a] = table.numberInArray(index);
                    if (v[a] != value) v[a] = value;
                    continue;
                  }
                }
                break slow;
              }
              case Op.GETINDEX -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] instanceof LuaTable table && v[c] == NUMBER) {
                  int index = (int) n[c];
                  if (index == n[c]) {
                    Object value = table.inArray(index - 1);
                    if (value != null) {
                      if (value == NUMBER) n[a] = table.numberInArray(index - 1);
                      if (v[a] != value) v[a] = value;
                      continue;
                    }
                  }
                }
                break slow;
              }
              case Op.SETINDEX -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[a] instanceof LuaTable table && v[b] == NUMBER) {
                  int index = (int) n[b];
                  if (index == n[b] && table.setInArray(index - 1, v[c], n[c])) continue;
                }
                break slow;
              }
              case Op.SETFIELD -> {
                int b = base + (w >>> 16);
                if (v[a] instanceof LuaTable table) {
                  int place = table.findString((LuaString) k[(int) (i >>> 32)]);
                  if (table.objectAt(place) != null && !table.isReadOnly()) {
                    frame.pc = pc;
                    table.setAt(place, v[b], n[b]);
                    continue;
                  }
                }
                break slow;
              }
              case Op.SETINT -> {
                int b = base + (w >>> 16);
                if (v[a] instanceof LuaTable table
                    && table.setInArray((int) (i >>> 32) - 1, v[b], n[b])) {
                  continue;
                }
                break slow;
              }
              case Op.NEWTABLE -> v[a] = new LuaTable(state.memory(), w >>> 16, (int) (i >>> 32));
              case Op.SETLIST -> calls.setList(co, a, w >>> 16, (int) (i >>> 32));
              case Op.SELF -> {
                break slow;
              }
              case Op.ADD -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] == NUMBER && v[c] == NUMBER) {
                  n[a] = n[b] + n[c];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.SUB -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] == NUMBER && v[c] == NUMBER) {
                  n[a] = n[b] - n[c];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.MUL -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] == NUMBER && v[c] == NUMBER) {
                  n[a] = n[b] * n[c];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.DIV -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] == NUMBER && v[c] == NUMBER) {
                  n[a] = n[b] / n[c];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.MOD -> {
                int b = base + (w >>> 16);
                int c = base + (int) (i >>> 32);
                if (v[b] == NUMBER && v[c] == NUMBER) {
                  double x = n[b];
                  double y = n[c];
                  n[a] = x - Math.floor(x / y) * y;
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.POW -> {
                break slow;
              }
              case Op.ADDK -> {
                int b = base + (w >>> 16);
                if (v[b] == NUMBER) {
                  n[a] = n[b] + kn[(int) (i >>> 32)];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.SUBK -> {
                int b = base + (w >>> 16);
                if (v[b] == NUMBER) {
                  n[a] = n[b] - kn[(int) (i >>> 32)];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.MULK -> {
                int b = base + (w >>> 16);
                if (v[b] == NUMBER) {
                  n[a] = n[b] * kn[(int) (i >>> 32)];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.DIVK -> {
                int b = base + (w >>> 16);
                if (v[b] == NUMBER) {
                  n[a] = n[b] / kn[(int) (i >>> 32)];
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.MODK -> {
                int b = base + (w >>> 16);
                if (v[b] == NUMBER) {
                  double x = n[b];
                  double y = kn[(int) (i >>> 32)];
                  n[a] = x - Math.floor(x / y) * y;
                  if (v[a] != NUMBER) v[a] = NUMBER;
                } else {
                  break slow;
                }
              }
              case Op.POWK, Op.UNM -> {
                break slow;
              }
              case Op.NOT -> {
                Object value = v[base + (w >>> 16)];
                v[a] = value == null || value == Boolean.FALSE;
              }
              case Op.LEN -> {
                if (v[base + (w >>> 16)] instanceof LuaTable table) {
                  n[a] = table.length();
                  if (v[a] != NUMBER) v[a] = NUMBER;
                  continue;
                }
                break slow;
              }
              case Op.CONCAT -> {
                break slow;
              }
              case Op.JUMP -> pc = (int) (i >>> 32);
              case Op.LOOP -> {
                pc = (int) (i >>> 32);
                break tick;
              }
              case Op.JT -> {
                Object value = v[a];
                if (value != null && value != Boolean.FALSE) pc = (int) (i >>> 32);
              }
              case Op.JF -> {
                Object value = v[a];
                if (value == null || value == Boolean.FALSE) pc = (int) (i >>> 32);
              }
              case Op.JEQ, Op.JNE -> {
                int b = base + (w >>> 16);
                if (v[a] == NUMBER && v[b] == NUMBER) {
                  if (n[a] == n[b] == ((w & 0xff) == Op.JEQ)) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.JEQK -> {
                int b = w >>> 16;
                if (isConstant(v[a], n[a], k[b], kn[b])) pc = (int) (i >>> 32);
              }
              case Op.JNEK -> {
                int b = w >>> 16;
                if (!isConstant(v[a], n[a], k[b], kn[b])) pc = (int) (i >>> 32);
              }
              case Op.JLT -> {
                int b = base + (w >>> 16);
                if (v[a] == NUMBER && v[b] == NUMBER) {
                  if (n[a] < n[b]) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.JNLT -> {
                int b = base + (w >>> 16);
                if (v[a] == NUMBER && v[b] == NUMBER) {
                  if (!(n[a] < n[b])) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.JLE -> {
                int b = base + (w >>> 16);
                if (v[a] == NUMBER && v[b] == NUMBER) {
                  if (n[a] <= n[b]) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.JNLE -> {
                int b = base + (w >>> 16);
                if (v[a] == NUMBER && v[b] == NUMBER) {
                  if (!(n[a] <= n[b])) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.JLTK, Op.JNLTK, Op.JLEK, Op.JNLEK, Op.JGTK, Op.JNGTK, Op.JGEK, Op.JNGEK -> {
                if (v[a] == NUMBER) {
                  if (holds(w & 0xff, n[a], kn[w >>> 16])) pc = (int) (i >>> 32);
                  continue;
                }
                break slow;
              }
              case Op.CALL -> {
                frame.pc = pc;
                if (calls.perform(co, a, i)) break frame;
                if (co.values != v) break frame;
              }
              case Op.TAILCALL -> {
                frame.pc = pc;
                calls.performTail(co, frame, a, i);
                break frame;
              }
              case Op.RETURN -> {
                calls.performReturn(co, frame, a, i);
                break frame;
              }
              case Op.FORPREP -> {
                break slow;
              }
              case Op.FORLOOP -> {
                double step = n[a + 2];
                double next = n[a] + step;
                if (step > 0 ? next <= n[a + 1] : n[a + 1] <= next) {
                  n[a] = next;
                  n[a + 3] = next;
                  if (v[a + 3] != NUMBER) v[a + 3] = NUMBER;
                  pc = (int) (i >>> 32);
                  break tick;
                }
              }
              case Op.TFORCALL -> {
                frame.pc = pc;
                if (calls.iterate(a, w >>> 16)) break frame;
                if (co.values != v) break frame;
              }
              case Op.TFORLOOP -> {
                Object value = v[a + 3];
                if (value != null) {
                  n[a + 2] = n[a + 3];
                  if (v[a + 2] != value) v[a + 2] = value;
                  pc = (int) (i >>> 32);
                  break tick;
                }
              }
              case Op.CLOSURE -> calls.closure(frame, a, p.functions[(int) (i >>> 32)]);
              case Op.VARARG -> {
                calls.vararg(co, frame, a, (w >>> 16) - 1);
                if (co.values != v) {
                  frame.pc = pc;
                  break frame;
                }
              }
              default -> throw new AssertionError("no instruction: " + i);
            }
            continue;
          }
          if (--ticks > 0) continue;
          frame.pc = pc;
          if (endSlice()) break frame;
          continue;
        }
        frame.pc = pc;
        if (metamethods.perform(frame, i)) break frame;
        pc = frame.pc;
      }
    }
  }

  private static boolean isConstant(
      @Nullable Object value, double number, @Nullable Object k, double kNumber) {
    if (value == NUMBER) return k instanceof Double && number == kNumber;
    return value == k || value instanceof LuaString string && string.equals(k);
  }

  private static boolean holds(int op, double x, double k) {
    return switch (op) {
      case Op.JLTK -> x < k;
      case Op.JNLTK -> !(x < k);
      case Op.JLEK -> x <= k;
      case Op.JNLEK -> !(x <= k);
      case Op.JGTK -> k < x;
      case Op.JNGTK -> !(k < x);
      case Op.JGEK -> k <= x;
      default -> !(k <= x);
    };
  }
}
