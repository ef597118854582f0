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
 * code does not deepen the Java stack; only compiled functions do, up to a limit ({@link JvmCode}).
 * Library functions that call back are written in Lua ({@link NativeCode}) for the same reason.
 * That has four consequences. A run can stop at any call or backward jump, because its whole state
 * is in the frames, and {@link #run} resumes it later. An error is a Java exception only up to
 * {@link #run}, which then unwinds frames to the protected call; {@link LuaStopped} is a different
 * exception that leaves {@link #run}, so {@code pcall} cannot catch a request to stop. Deep
 * recursion is a Lua error, raised by the limit of frames. A coroutine costs a few arrays and no
 * thread.
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

  /** The calls of compiled functions by compiled code that are on the Java stack. */
  int nesting;

  /** An error in compiled code, which the code's caller throws again. */
  @Nullable Throwable raised;

  boolean isFinished;
  boolean isSuspended;

  /** Ticks that are left of the slice. */
  int ticks;

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
    // A slice may extend over several runs, so that loops of short scripts become hot as well.
    if (ticks <= 0 || ticks > tickBudget) ticks = (int) Math.min(SLICE, tickBudget);
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
    LuaClosure closure = current.frame().closure;
    if (closure != null) HotCode.sample(closure.code);
    endSlice();
  }

  /** Ends a slice; suspends the run if its budget is used. */
  void endSlice() {
    state.stopIfAsked();
    budget -= SLICE - ticks;
    ticks = (int) Math.min(SLICE, budget);
    isSuspended = budget <= 0;
  }

  /**
   * Executes instructions of the frame on top, and of those after it.
   *
   * <p>The inner loop has no call and no allocation. HotSpot keeps what lives across a call on the
   * stack, in all of a loop: with a call in one instruction, each instruction loads the position of
   * the next one from there and stores it again, and waits for that. So an instruction that calls,
   * allocates or has rare operands leaves the inner loop ({@code rare}), and so does the end of a
   * slice ({@code tick}). What the inner loop uses of other classes must be inlined: short methods
   * without calls, which return that they have not found what they look for.
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
      int base = frame.base;
      int pc = frame.pc;
      if (pc == 0 && p.function() instanceof JvmCode compiled) {
        run(compiled, co, frame);
        continue;
      }
      tick:
      {
        rare:
        for (; ; ) {
          long i = code[pc++];
          int w = (int) i;
          int a = base + (w >>> 8 & 0xff);
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
              int place = globals.findSame((LuaString) k[(int) (i >>> 32)]);
              Object value = globals.objectAt(place);
              if (value == null) break rare;
              if (value == NUMBER) n[a] = globals.numberAt(place);
              if (v[a] != value) v[a] = value;
            }
            case Op.GETFIELD -> {
              if (v[base + (w >>> 16)] instanceof LuaTable table) {
                int place = table.findSame((LuaString) k[(int) (i >>> 32)]);
                Object value = table.objectAt(place);
                if (value != null) {
                  if (value == NUMBER) n[a] = table.numberAt(place);
                  if (v[a] != value) v[a] = value;
                  continue;
                }
              }
              break rare;
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
              break rare;
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
              break rare;
            }
            case Op.SETINDEX -> {
              int b = base + (w >>> 16);
              int c = base + (int) (i >>> 32);
              if (v[a] instanceof LuaTable table && v[b] == NUMBER) {
                int index = (int) n[b];
                if (index == n[b] && table.setInArray(index - 1, v[c], n[c])) continue;
              }
              break rare;
            }
            case Op.SETFIELD -> {
              int b = base + (w >>> 16);
              if (v[a] instanceof LuaTable table) {
                int place = table.findSame((LuaString) k[(int) (i >>> 32)]);
                if (table.replaceAt(place, v[b], n[b])) continue;
              }
              break rare;
            }
            case Op.SETINT -> {
              int b = base + (w >>> 16);
              if (v[a] instanceof LuaTable table
                  && table.setInArray((int) (i >>> 32) - 1, v[b], n[b])) {
                continue;
              }
              break rare;
            }
            case Op.ADD -> {
              int b = base + (w >>> 16);
              int c = base + (int) (i >>> 32);
              if (v[b] == NUMBER && v[c] == NUMBER) {
                n[a] = n[b] + n[c];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.SUB -> {
              int b = base + (w >>> 16);
              int c = base + (int) (i >>> 32);
              if (v[b] == NUMBER && v[c] == NUMBER) {
                n[a] = n[b] - n[c];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.MUL -> {
              int b = base + (w >>> 16);
              int c = base + (int) (i >>> 32);
              if (v[b] == NUMBER && v[c] == NUMBER) {
                n[a] = n[b] * n[c];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.DIV -> {
              int b = base + (w >>> 16);
              int c = base + (int) (i >>> 32);
              if (v[b] == NUMBER && v[c] == NUMBER) {
                n[a] = n[b] / n[c];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
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
                break rare;
              }
            }
            case Op.ADDK -> {
              int b = base + (w >>> 16);
              if (v[b] == NUMBER) {
                n[a] = n[b] + kn[(int) (i >>> 32)];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.SUBK -> {
              int b = base + (w >>> 16);
              if (v[b] == NUMBER) {
                n[a] = n[b] - kn[(int) (i >>> 32)];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.MULK -> {
              int b = base + (w >>> 16);
              if (v[b] == NUMBER) {
                n[a] = n[b] * kn[(int) (i >>> 32)];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
              }
            }
            case Op.DIVK -> {
              int b = base + (w >>> 16);
              if (v[b] == NUMBER) {
                n[a] = n[b] / kn[(int) (i >>> 32)];
                if (v[a] != NUMBER) v[a] = NUMBER;
              } else {
                break rare;
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
                break rare;
              }
            }
            case Op.NOT -> {
              Object value = v[base + (w >>> 16)];
              v[a] = value == null || value == Boolean.FALSE;
            }
            case Op.LEN -> {
              Object value = v[base + (w >>> 16)];
              int length;
              if (value instanceof LuaString string) length = string.length();
              else if (value instanceof LuaTable table) length = table.arrayLength();
              else break rare;
              if (length < 0) break rare;
              n[a] = length;
              if (v[a] != NUMBER) v[a] = NUMBER;
            }
            case Op.JUMP -> pc = (int) (i >>> 32);
            case Op.LOOP -> {
              pc = (int) (i >>> 32);
              if (--ticks <= 0) break tick;
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
              break rare;
            }
            case Op.JEQK, Op.JNEK -> {
              int b = w >>> 16;
              Object value = v[a];
              Object constant = k[b];
              boolean isSame;
              if (value == NUMBER) isSame = constant instanceof Double && n[a] == kn[b];
              else if (value == constant) isSame = true;
              else if (value instanceof LuaString) break rare;
              else isSame = false;
              if (isSame == ((w & 0xff) == Op.JEQK)) pc = (int) (i >>> 32);
            }
            case Op.JLT -> {
              int b = base + (w >>> 16);
              if (v[a] == NUMBER && v[b] == NUMBER) {
                if (n[a] < n[b]) pc = (int) (i >>> 32);
                continue;
              }
              break rare;
            }
            case Op.JNLT -> {
              int b = base + (w >>> 16);
              if (v[a] == NUMBER && v[b] == NUMBER) {
                if (!(n[a] < n[b])) pc = (int) (i >>> 32);
                continue;
              }
              break rare;
            }
            case Op.JLE -> {
              int b = base + (w >>> 16);
              if (v[a] == NUMBER && v[b] == NUMBER) {
                if (n[a] <= n[b]) pc = (int) (i >>> 32);
                continue;
              }
              break rare;
            }
            case Op.JNLE -> {
              int b = base + (w >>> 16);
              if (v[a] == NUMBER && v[b] == NUMBER) {
                if (!(n[a] <= n[b])) pc = (int) (i >>> 32);
                continue;
              }
              break rare;
            }
            case Op.JLTK, Op.JNLTK, Op.JLEK, Op.JNLEK, Op.JGTK, Op.JNGTK, Op.JGEK, Op.JNGEK -> {
              if (v[a] == NUMBER) {
                if (holds(w & 0xff, n[a], kn[w >>> 16])) pc = (int) (i >>> 32);
                continue;
              }
              break rare;
            }
            case Op.FORLOOP -> {
              double step = n[a + 2];
              double next = n[a] + step;
              if (step > 0 ? next <= n[a + 1] : n[a + 1] <= next) {
                n[a] = next;
                n[a + 3] = next;
                if (v[a + 3] != NUMBER) v[a + 3] = NUMBER;
                pc = (int) (i >>> 32);
                if (--ticks <= 0) break tick;
              }
            }
            case Op.TFORLOOP -> {
              Object value = v[a + 3];
              if (value != null) {
                n[a + 2] = n[a + 3];
                if (v[a + 2] != value) v[a + 2] = value;
                pc = (int) (i >>> 32);
                if (--ticks <= 0) break tick;
              }
            }
            default -> {
              break rare;
            }
          }
        }
        frame.pc = pc;
        perform(co, frame, code[pc - 1]);
        continue;
      }
      frame.pc = pc;
      HotCode.sample(p, pc);
      endSlice();
    }
  }

  /** Executes an instruction that calls, allocates, or has uncommon operands. */
  void perform(Coroutine co, Frame frame, long i) {
    int a = frame.base + Op.a(i);
    switch (Op.op(i)) {
      case Op.CALL -> calls.perform(co, a, i);
      case Op.TAILCALL -> calls.performTail(co, frame, a, i);
      case Op.RETURN -> calls.performReturn(co, frame, a, i);
      case Op.TFORCALL -> calls.iterate(a, Op.b(i));
      case Op.CLOSURE -> calls.closure(frame, a, Op.c(i));
      case Op.VARARG -> calls.vararg(co, frame, a, Op.b(i) - 1);
      case Op.NEWTABLE -> co.values[a] = new LuaTable(state.memory(), Op.b(i), Op.c(i));
      case Op.SETLIST -> calls.setList(co, a, Op.b(i), Op.c(i));
      case Op.NEWCELL -> co.values[a] = new Cell();
      case Op.BOX -> box(co, a);
      case Op.COMPILED -> runLoop(co, frame);
      default -> metamethods.perform(frame, i);
    }
  }

  private void runLoop(Coroutine co, Frame frame) {
    Prototype p = Objects.requireNonNull(frame.closure).code;
    int end = frame.pc - 1;
    if (p.loop(end) instanceof JvmCode loop) run(loop, co, frame);
    else frame.pc = end; // its installation is not quite visible yet
  }

  private void run(JvmCode compiled, Coroutine co, Frame frame) {
    nesting = 0;
    compiled.run(this, co, frame);
    Throwable error = raised;
    if (error == null) return;
    raised = null;
    if (error instanceof Error e) throw e;
    throw (RuntimeException) error;
  }

  private static void box(Coroutine co, int a) {
    Cell cell = new Cell();
    cell.value = co.values[a];
    cell.number = co.numbers[a];
    co.values[a] = cell;
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
