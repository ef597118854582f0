package dev.kermes.lua;

import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DADD;
import static org.objectweb.asm.Opcodes.DCMPG;
import static org.objectweb.asm.Opcodes.DDIV;
import static org.objectweb.asm.Opcodes.DLOAD;
import static org.objectweb.asm.Opcodes.DMUL;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.DSUB;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.I2D;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.IFGE;
import static org.objectweb.asm.Opcodes.IFGT;
import static org.objectweb.asm.Opcodes.IFLE;
import static org.objectweb.asm.Opcodes.IFLT;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.IFNULL;
import static org.objectweb.asm.Opcodes.IF_ACMPNE;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INSTANCEOF;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.POP;
import static org.objectweb.asm.Opcodes.RETURN;

import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.Prototype;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Translates a loop of a Lua function, or a whole function, to JVM bytecode: a hidden class, whose
 * method runs from the loop's backward jump or the function's start on.
 *
 * <p>An instruction has the same cases inline that the interpreter has in its inner loop. All
 * others it hands to the interpreter, and continues behind it if no frame is left on top of its
 * own. The code has a single entry, since HotSpot does not optimise a loop that can be entered at
 * several places; so once it is left, the rest of an iteration or a function is interpreted. The
 * state between any two instructions is that of the interpreter, but for numbers in variables
 * ({@link NumberVariables}), which are stored where the code is left.
 */
final class JvmCompiler {

  private final Prototype p;
  private final long[] code;
  private final int start;
  private final int end;
  private final int entry;
  private final JvmAssembler assembler;
  private final MethodVisitor out;
  private final Label[] labels;
  private final Map<Integer, Label> exits = new HashMap<>();
  private final Map<Integer, Label> sliceEnds = new HashMap<>();

  /** The ends after an instruction that pushed a frame, by the number of registers to store. */
  private final Map<Integer, Label> leaves = new HashMap<>();

  private final Deque<Runnable> rareCases = new ArrayDeque<>();

  private JvmCompiler(Prototype p, int start, int end, int entry) {
    this.p = p;
    this.start = start;
    this.end = end;
    this.entry = entry;
    code = p.interpretedCode();
    assembler = new JvmAssembler(new NumberVariables(code, start, end), p.registerCount);
    out = assembler.out;
    labels = new Label[end + 1 - start];
    for (int i = 0; i < labels.length; i++) labels[i] = new Label();
  }

  /** Translates the loop that ends with the backward jump at a position; null if it is too long. */
  static @Nullable JvmCode compileLoop(Prototype p, int end) {
    int start = Op.c(p.interpretedCode()[end]);
    return new JvmCompiler(p, start, end, end).compile(p.registerCount);
  }

  /** Translates a function; null if it is too long. */
  static @Nullable JvmCode compileFunction(Prototype p) {
    return new JvmCompiler(p, 0, p.code.length - 1, 0).compile(p.parameterCount);
  }

  private @Nullable JvmCode compile(int used) {
    assembler.enter(used);
    out.visitJumpInsn(GOTO, at(entry));
    for (int pc = start; pc <= end; pc++) {
      out.visitLabel(at(pc));
      translate(pc, code[pc]);
    }
    out.visitJumpInsn(GOTO, at(end + 1));
    while (!rareCases.isEmpty()) rareCases.remove().run();
    sliceEnds.forEach((pc, label) -> leave(pc, label, true));
    exits.forEach((pc, label) -> leave(pc, label, false));
    leaves.forEach(this::leaveAfter);
    byte[] written = assembler.finish();
    return written == null ? null : load(written);
  }

  private JvmCode load(byte[] written) {
    try {
      return (JvmCode)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(written, assembler.strings(), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** The label of a position, at which the code is left if that is outside. */
  private Label at(int pc) {
    if (pc >= start && pc <= end) return labels[pc - start];
    return exits.computeIfAbsent(pc, key -> new Label());
  }

  private void leaveAfter(int kept, Label label) {
    out.visitLabel(label);
    assembler.leaveAfter(kept);
  }

  private void leave(int pc, Label label, boolean endsSlice) {
    out.visitLabel(label);
    assembler.leaveTo(pc, endsSlice);
  }

  private void translate(int pc, long i) {
    int op = Op.op(i);
    int a = Op.a(i);
    int b = Op.b(i);
    int c = Op.c(i);
    switch (op) {
      case Op.MOVE -> move(a, b);
      case Op.LOADK -> constant(a, c);
      case Op.LOADNIL -> nil(a, b);
      case Op.LOADBOOL -> {
        assembler.bool(b != 0);
        storeValue(a);
      }
      case Op.GETCELL -> {
        assembler.value(b);
        out.visitTypeInsn(CHECKCAST, JvmAssembler.CELL);
        readCell(a);
      }
      case Op.GETUP -> {
        assembler.captured(b);
        readCell(a);
      }
      case Op.SETCELL -> {
        assembler.value(a);
        writeCell(b);
      }
      case Op.SETUP -> {
        assembler.captured(b);
        writeCell(a);
      }
      case Op.GETGLOBAL -> field(pc, i, assembler::globals);
      case Op.GETFIELD -> field(pc, i, () -> assembler.value(b));
      case Op.GETINT -> element(rare(pc, i), a, b, () -> out.visitLdcInsn((double) c));
      case Op.GETINDEX -> {
        Label rare = rare(pc, i);
        assembler.unlessNumber(c, rare);
        element(rare, a, b, () -> assembler.number(c));
      }
      case Op.SETFIELD -> setField(pc, i);
      case Op.SETINT -> setElement(rare(pc, i), a, () -> out.visitLdcInsn((double) c), b);
      case Op.SETINDEX -> {
        Label rare = rare(pc, i);
        assembler.unlessNumber(b, rare);
        setElement(rare, a, () -> assembler.number(b), c);
      }
      case Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.MOD -> {
        Label rare = rare(pc, i);
        assembler.unlessNumber(b, rare);
        if (c != b) assembler.unlessNumber(c, rare);
        assembler.number(b);
        assembler.number(c);
        arithmetic(op, a);
      }
      case Op.ADDK, Op.SUBK, Op.MULK, Op.DIVK, Op.MODK -> {
        assembler.unlessNumber(b, rare(pc, i));
        assembler.number(b);
        out.visitLdcInsn(p.numbers[c]);
        arithmetic(op - Op.ADDK + Op.ADD, a);
      }
      case Op.CALL -> callOrApply(pc, i);
      case Op.NOT -> {
        assembler.value(b);
        assembler.call("not", "(Ljava/lang/Object;)Ljava/lang/Object;");
        storeValue(a);
      }
      case Op.LEN -> length(pc, i);
      case Op.JUMP -> out.visitJumpInsn(GOTO, at(c));
      case Op.JT, Op.JF -> {
        assembler.value(a);
        assembler.call("isTrue", "(Ljava/lang/Object;)Z");
        out.visitJumpInsn(op == Op.JT ? IFNE : IFEQ, at(c));
      }
      case Op.JEQ, Op.JNE, Op.JLT, Op.JNLT, Op.JLE, Op.JNLE -> {
        Label rare = rare(pc, i);
        assembler.unlessNumber(a, rare);
        assembler.unlessNumber(b, rare);
        assembler.number(a);
        assembler.number(b);
        compare(op, at(c));
      }
      case Op.JLTK, Op.JNLTK, Op.JLEK, Op.JNLEK -> {
        assembler.unlessNumber(a, rare(pc, i));
        assembler.number(a);
        out.visitLdcInsn(p.numbers[b]);
        compare(op - Op.JLTK + Op.JLT, at(c));
      }
      case Op.JGTK, Op.JNGTK, Op.JGEK, Op.JNGEK -> {
        assembler.unlessNumber(a, rare(pc, i));
        out.visitLdcInsn(p.numbers[b]);
        assembler.number(a);
        compare(op - Op.JGTK + Op.JLT, at(c));
      }
      case Op.JEQK, Op.JNEK -> compareConstant(a, p.constants[b], p.numbers[b], op, at(c));
      case Op.LOOP -> jumpBack(c);
      case Op.FORLOOP -> count(pc, a, c);
      case Op.TFORLOOP -> iterate(pc, a, c);
      default -> out.visitJumpInsn(GOTO, rare(pc, i));
    }
  }

  // Instructions that the interpreter executes

  private Label rare(int pc, long i) {
    Label label = new Label();
    rareCases.add(() -> perform(label, pc, i));
    return label;
  }

  private void perform(Label label, int pc, long i) {
    int op = Op.op(i);
    out.visitLabel(label);
    spillOperands(i);
    assembler.perform(i, pc + 1);
    if (op == Op.RETURN || op == Op.TAILCALL) {
      out.visitInsn(POP);
      out.visitInsn(RETURN);
      return;
    }
    int kept = usesRange(op) ? firstOperand(i) : p.registerCount;
    out.visitJumpInsn(IFEQ, leaves.computeIfAbsent(kept, key -> new Label()));
    assembler.reload(Op.a(i), usesRange(op) ? p.registerCount : Op.a(i) + 1);
    if (op == Op.FORPREP) {
      out.visitJumpInsn(GOTO, at(Op.c(i)));
    } else if (op >= Op.JEQ && op <= Op.JNGEK) {
      assembler.ifNextIs(pc + 1, at(pc + 1));
      out.visitJumpInsn(GOTO, at(Op.c(i)));
    } else {
      out.visitJumpInsn(GOTO, at(pc + 1));
    }
  }

  /** Stores the numbers that an instruction reads. */
  private void spillOperands(long i) {
    if (usesRange(Op.op(i))) {
      assembler.spill(firstOperand(i), p.registerCount);
      return;
    }
    for (int operand : new int[] {Op.a(i), Op.b(i), Op.c(i)}) {
      if (operand >= 0 && operand < p.registerCount) assembler.spill(operand, operand + 1);
    }
  }

  /** Whether an instruction may use all registers from its first one on, and none before. */
  private static boolean usesRange(int op) {
    return switch (op) {
      case Op.CALL, Op.TAILCALL, Op.RETURN, Op.TFORCALL, Op.SETLIST, Op.VARARG -> true;
      case Op.CLOSURE, Op.NEWTABLE, Op.NEWCELL, Op.BOX, Op.FORPREP, Op.SELF, Op.CONCAT -> true;
      default -> false;
    };
  }

  private static int firstOperand(long i) {
    int op = Op.op(i);
    return op == Op.SELF || op == Op.CONCAT ? Math.min(Op.a(i), Op.b(i)) : Op.a(i);
  }

  // Moves

  private void move(int a, int b) {
    assembler.value(b);
    out.visitVarInsn(ASTORE, JvmAssembler.AN_OBJECT);
    assembler.number(b);
    assembler.storeNumber(a);
    assembler.storeObject(a);
  }

  private void storeValue(int register) {
    out.visitVarInsn(ASTORE, JvmAssembler.AN_OBJECT);
    assembler.storeObject(register);
  }

  private void constant(int a, int c) {
    Object value = p.constants[c];
    if (value instanceof Double) {
      out.visitLdcInsn(p.numbers[c]);
      assembler.storeNumber(a);
      assembler.becomesNumber(a);
    } else {
      pushConstant(value);
      storeValue(a);
    }
  }

  private void pushConstant(@Nullable Object value) {
    switch (value) {
      case null -> out.visitInsn(ACONST_NULL);
      case Boolean bool -> assembler.bool(bool);
      default -> assembler.string((LuaString) value);
    }
  }

  private void nil(int a, int count) {
    for (int r = a; r < a + count; r++) {
      out.visitInsn(ACONST_NULL);
      storeValue(r);
    }
  }

  private void readCell(int a) {
    out.visitInsn(DUP);
    out.visitFieldInsn(GETFIELD, JvmAssembler.CELL, "number", "D");
    assembler.storeNumber(a);
    out.visitFieldInsn(GETFIELD, JvmAssembler.CELL, "value", JvmAssembler.OBJECT);
    storeValue(a);
  }

  private void writeCell(int register) {
    assembler.value(register);
    assembler.number(register);
    assembler.call("setCell", "(Ljava/lang/Object;Ljava/lang/Object;D)V");
  }

  // Tables

  private LuaString stringConstant(int c) {
    return (LuaString) Objects.requireNonNull(p.constants[c]);
  }

  private void field(int pc, long i, Runnable table) {
    int a = Op.a(i);
    table.run();
    assembler.string(stringConstant(Op.c(i)));
    assembler.call("find", "(Ljava/lang/Object;" + JvmAssembler.STRING + ")I");
    out.visitVarInsn(ISTORE, JvmAssembler.AN_INT);
    table.run();
    out.visitVarInsn(ILOAD, JvmAssembler.AN_INT);
    assembler.call("valueAt", "(Ljava/lang/Object;I)Ljava/lang/Object;");
    out.visitInsn(DUP);
    out.visitVarInsn(ASTORE, JvmAssembler.AN_OBJECT);
    out.visitJumpInsn(IFNULL, rare(pc, i));
    table.run();
    out.visitVarInsn(ILOAD, JvmAssembler.AN_INT);
    out.visitVarInsn(ALOAD, JvmAssembler.AN_OBJECT);
    assembler.call("numberAt", "(Ljava/lang/Object;ILjava/lang/Object;)D");
    assembler.storeNumber(a);
    assembler.storeObject(a);
  }

  private void element(Label rare, int a, int table, Runnable key) {
    assembler.value(table);
    key.run();
    assembler.call("element", "(Ljava/lang/Object;D)Ljava/lang/Object;");
    out.visitInsn(DUP);
    out.visitVarInsn(ASTORE, JvmAssembler.AN_OBJECT);
    out.visitJumpInsn(IFNULL, rare);
    assembler.value(table);
    key.run();
    out.visitVarInsn(ALOAD, JvmAssembler.AN_OBJECT);
    assembler.call("elementNumber", "(Ljava/lang/Object;DLjava/lang/Object;)D");
    assembler.storeNumber(a);
    assembler.storeObject(a);
  }

  private void setElement(Label rare, int table, Runnable key, int register) {
    assembler.value(table);
    key.run();
    assembler.value(register);
    assembler.number(register);
    assembler.call("setElement", "(Ljava/lang/Object;DLjava/lang/Object;D)Z");
    out.visitJumpInsn(IFEQ, rare);
  }

  private void setField(int pc, long i) {
    assembler.value(Op.a(i));
    assembler.string(stringConstant(Op.c(i)));
    assembler.value(Op.b(i));
    assembler.number(Op.b(i));
    assembler.call(
        "setField", "(Ljava/lang/Object;" + JvmAssembler.STRING + "Ljava/lang/Object;D)Z");
    out.visitJumpInsn(IFEQ, rare(pc, i));
  }

  // Operators

  /** Computes with the two numbers on the stack. */
  private void arithmetic(int op, int a) {
    switch (op) {
      case Op.ADD -> out.visitInsn(DADD);
      case Op.SUB -> out.visitInsn(DSUB);
      case Op.MUL -> out.visitInsn(DMUL);
      case Op.DIV -> out.visitInsn(DDIV);
      default -> assembler.call("modulo", "(DD)D");
    }
    assembler.storeNumber(a);
    assembler.becomesNumber(a);
  }

  /** Translates a call, which may be that of a function of one number. */
  private void callOrApply(int pc, long i) {
    int a = Op.a(i);
    Label call = rare(pc, i);
    if (Op.b(i) == 2 && Op.c(i) == 2) { // one argument, one result
      assembler.value(a);
      out.visitTypeInsn(INSTANCEOF, JvmAssembler.NUMBER_FUNCTION);
      out.visitJumpInsn(IFEQ, call);
      assembler.unlessNumber(a + 1, call);
      assembler.value(a);
      assembler.number(a + 1);
      assembler.call("apply", "(Ljava/lang/Object;D)D");
      assembler.storeNumber(a);
      assembler.becomesNumber(a);
    } else {
      out.visitJumpInsn(GOTO, call);
    }
  }

  private void length(int pc, long i) {
    assembler.value(Op.b(i));
    assembler.call("length", "(Ljava/lang/Object;)I");
    out.visitInsn(DUP);
    out.visitVarInsn(ISTORE, JvmAssembler.AN_INT);
    out.visitJumpInsn(IFLT, rare(pc, i));
    out.visitVarInsn(ILOAD, JvmAssembler.AN_INT);
    out.visitInsn(I2D);
    assembler.storeNumber(Op.a(i));
    assembler.becomesNumber(Op.a(i));
  }

  // Jumps

  /** Compares the two numbers on the stack. With NaN, DCMPG yields 1, as for a greater one. */
  private void compare(int op, Label label) {
    out.visitInsn(DCMPG);
    int jump =
        switch (op) {
          case Op.JEQ -> IFEQ;
          case Op.JNE -> IFNE;
          case Op.JLT -> IFLT;
          case Op.JNLT -> IFGE;
          case Op.JLE -> IFLE;
          default -> IFGT;
        };
    out.visitJumpInsn(jump, label);
  }

  private void compareConstant(
      int a, @Nullable Object constant, double number, int op, Label label) {
    boolean jumpsIfSame = op == Op.JEQK;
    Label next = new Label();
    Label differs = jumpsIfSame ? next : label;
    assembler.value(a);
    switch (constant) {
      case Double d -> {
        assembler.numberMark();
        out.visitJumpInsn(IF_ACMPNE, differs);
        assembler.number(a);
        out.visitLdcInsn(number);
        out.visitInsn(DCMPG);
        out.visitJumpInsn(IFNE, differs);
      }
      case LuaString string -> {
        assembler.string(string);
        assembler.call("isSame", "(Ljava/lang/Object;" + JvmAssembler.STRING + ")Z");
        out.visitJumpInsn(IFEQ, differs);
      }
      case null, default -> {
        pushConstant(constant);
        out.visitJumpInsn(IF_ACMPNE, differs);
      }
    }
    if (jumpsIfSame) out.visitJumpInsn(GOTO, label);
    out.visitLabel(next);
  }

  private void jumpBack(int target) {
    assembler.tick(sliceEnds.computeIfAbsent(target, key -> new Label()));
    out.visitJumpInsn(GOTO, at(target));
  }

  /** Translates the end of a numeric for loop, whose three numbers nothing else can change. */
  private void count(int pc, int a, int target) {
    assembler.number(a);
    assembler.number(a + 2);
    out.visitInsn(DADD);
    out.visitVarInsn(DSTORE, JvmAssembler.A_DOUBLE);
    out.visitVarInsn(DLOAD, JvmAssembler.A_DOUBLE);
    assembler.number(a + 1);
    assembler.number(a + 2);
    assembler.call("continues", "(DDD)Z");
    out.visitJumpInsn(IFEQ, at(pc + 1));
    out.visitVarInsn(DLOAD, JvmAssembler.A_DOUBLE);
    assembler.storeNumber(a);
    assembler.number(a);
    assembler.storeNumber(a + 3);
    assembler.becomesNumber(a + 3);
    jumpBack(target);
  }

  private void iterate(int pc, int a, int target) {
    assembler.value(a + 3);
    out.visitInsn(DUP);
    out.visitVarInsn(ASTORE, JvmAssembler.AN_OBJECT);
    out.visitJumpInsn(IFNULL, at(pc + 1));
    assembler.number(a + 3);
    assembler.storeNumber(a + 2);
    assembler.storeObject(a + 2);
    jumpBack(target);
  }
}
