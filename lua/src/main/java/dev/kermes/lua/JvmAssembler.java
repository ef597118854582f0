package dev.kermes.lua;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ASTORE;
import static org.objectweb.asm.Opcodes.DALOAD;
import static org.objectweb.asm.Opcodes.DASTORE;
import static org.objectweb.asm.Opcodes.DCONST_0;
import static org.objectweb.asm.Opcodes.DLOAD;
import static org.objectweb.asm.Opcodes.DSTORE;
import static org.objectweb.asm.Opcodes.GETFIELD;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.H_INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IADD;
import static org.objectweb.asm.Opcodes.IFLE;
import static org.objectweb.asm.Opcodes.IF_ACMPNE;
import static org.objectweb.asm.Opcodes.IF_ICMPEQ;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.ISTORE;
import static org.objectweb.asm.Opcodes.PUTFIELD;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.SIPUSH;
import static org.objectweb.asm.Opcodes.V21;

import dev.kermes.lua.compile.Op;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/**
 * Writes the class of a {@link JvmCode}: access to registers, constants, and calls of its methods.
 *
 * <pre>
 *   variables: this | interpreter | coroutine | frame | values | numbers | base | ticks | closure
 *              | an int | an object | a double (2) | the number of each register (2)
 * </pre>
 */
final class JvmAssembler {

  private static final String PACKAGE = "dev/kermes/lua/";
  private static final String SUPER = PACKAGE + "JvmCode";
  private static final String INTERPRETER = PACKAGE + "Interpreter";
  private static final String COROUTINE = PACKAGE + "Coroutine";
  private static final String FRAME = PACKAGE + "Frame";
  private static final String CLOSURE = PACKAGE + "LuaClosure";
  static final String CELL = PACKAGE + "Cell";
  static final String NUMBER_FUNCTION = PACKAGE + "NumberFunction";
  static final String OBJECT = "Ljava/lang/Object;";
  static final String STRING = "L" + PACKAGE + "LuaString;";
  private static final String OBJECTS = "[" + OBJECT;
  private static final String RUN = "(L" + INTERPRETER + ";L" + COROUTINE + ";L" + FRAME + ";)V";
  private static final String PERFORM =
      "(L" + INTERPRETER + ";L" + COROUTINE + ";L" + FRAME + ";JI)Z";

  /** HotSpot compiles methods of up to 8,000 bytes of bytecode (HugeMethodLimit). */
  private static final int LENGTH_MAX = 8000;

  private static final int THE_INTERPRETER = 1;
  private static final int THE_COROUTINE = 2;
  private static final int THE_FRAME = 3;
  private static final int VALUES = 4;
  private static final int NUMBERS = 5;
  private static final int BASE = 6;
  private static final int TICKS = 7;
  private static final int THE_CLOSURE = 8;
  static final int AN_INT = 9;
  static final int AN_OBJECT = 10;
  static final int A_DOUBLE = 11;
  private static final int FIRST_NUMBER = 13;

  private static final Handle CLASS_DATA =
      new Handle(
          H_INVOKESTATIC,
          "java/lang/invoke/MethodHandles",
          "classDataAt",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)" + OBJECT,
          false);

  private final NumberVariables registers;
  private final int registerCount;
  private final ClassWriter writer = new CommonObjectWriter();
  private final List<LuaString> strings = new ArrayList<>();
  final MethodVisitor out;

  /** A writer that does not load classes to find what two of them have in common. */
  private static final class CommonObjectWriter extends ClassWriter {
    CommonObjectWriter() {
      super(COMPUTE_FRAMES);
    }

    @Override
    protected String getCommonSuperClass(String one, String other) {
      return "java/lang/Object";
    }
  }

  JvmAssembler(NumberVariables registers, int registerCount) {
    this.registers = registers;
    this.registerCount = registerCount;
    writer.visit(V21, ACC_FINAL, PACKAGE + "Compiled", null, SUPER, null);
    writeConstructor();
    out = writer.visitMethod(0, "run", RUN, null, null);
    out.visitCode();
  }

  private void writeConstructor() {
    MethodVisitor init = writer.visitMethod(0, "<init>", "()V", null, null);
    init.visitCode();
    init.visitVarInsn(ALOAD, 0);
    init.visitMethodInsn(INVOKESPECIAL, SUPER, "<init>", "()V", false);
    init.visitInsn(RETURN);
    init.visitMaxs(0, 0);
    init.visitEnd();
  }

  /** Ends the class, and returns its bytes; null if they are too long for HotSpot. */
  byte @Nullable [] finish() {
    Label end = new Label();
    out.visitLabel(end);
    if (end.getOffset() > LENGTH_MAX) return null;
    out.visitMaxs(0, 0);
    out.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** The strings that the class expects as its data. */
  List<LuaString> strings() {
    return strings;
  }

  // The frame

  /** Loads all variables; the registers up to {@code used} hold values. */
  void enter(int used) {
    out.visitVarInsn(ALOAD, THE_FRAME);
    out.visitFieldInsn(GETFIELD, FRAME, "base", "I");
    out.visitVarInsn(ISTORE, BASE);
    out.visitVarInsn(ALOAD, THE_FRAME);
    out.visitFieldInsn(GETFIELD, FRAME, "closure", "L" + CLOSURE + ";");
    out.visitVarInsn(ASTORE, THE_CLOSURE);
    reload(0, used);
    for (int r = used; r < registerCount; r++) {
      if (!registers.isVariable(r)) continue;
      out.visitInsn(DCONST_0);
      out.visitVarInsn(DSTORE, variable(r));
    }
  }

  /** Loads what an instruction may have changed, with the registers up to {@code end}. */
  void reload(int first, int end) {
    out.visitVarInsn(ALOAD, THE_INTERPRETER);
    out.visitFieldInsn(GETFIELD, INTERPRETER, "ticks", "I");
    out.visitVarInsn(ISTORE, TICKS);
    out.visitVarInsn(ALOAD, THE_COROUTINE);
    out.visitFieldInsn(GETFIELD, COROUTINE, "values", OBJECTS);
    out.visitVarInsn(ASTORE, VALUES);
    reloadNumbers();
    for (int r = first; r < end; r++) {
      if (!registers.isVariable(r)) continue;
      loadFromArray(r);
      out.visitVarInsn(DSTORE, variable(r));
    }
  }

  private void reloadNumbers() {
    out.visitVarInsn(ALOAD, THE_COROUTINE);
    out.visitFieldInsn(GETFIELD, COROUTINE, "numbers", "[D");
    out.visitVarInsn(ASTORE, NUMBERS);
  }

  /** Stores the numbers of registers from {@code first} to {@code end}, which is not included. */
  void spill(int first, int end) {
    for (int r = first; r < end; r++) {
      if (!registers.isVariable(r)) continue;
      out.visitVarInsn(ALOAD, NUMBERS);
      index(r);
      out.visitVarInsn(DLOAD, variable(r));
      out.visitInsn(DASTORE);
    }
  }

  /** Leaves the code after a performed instruction that has not changed the first registers. */
  void leaveAfter(int unchanged) {
    reloadNumbers();
    spill(0, unchanged);
    out.visitInsn(RETURN);
  }

  /** Leaves the code; the interpreter continues at a position. */
  void leaveTo(int pc, boolean endsSlice) {
    spill(0, registerCount);
    out.visitVarInsn(ALOAD, THE_FRAME);
    integer(pc);
    out.visitFieldInsn(PUTFIELD, FRAME, "pc", "I");
    storeTicks();
    if (endsSlice) {
      out.visitVarInsn(ALOAD, THE_INTERPRETER);
      out.visitMethodInsn(INVOKEVIRTUAL, INTERPRETER, "endSlice", "()V", false);
    }
    out.visitInsn(RETURN);
  }

  private void storeTicks() {
    out.visitVarInsn(ALOAD, THE_INTERPRETER);
    out.visitVarInsn(ILOAD, TICKS);
    out.visitFieldInsn(PUTFIELD, INTERPRETER, "ticks", "I");
  }

  /** Counts a backward jump, and jumps to {@code ended} if the slice ends with it. */
  void tick(Label ended) {
    out.visitIincInsn(TICKS, -1);
    out.visitVarInsn(ILOAD, TICKS);
    out.visitJumpInsn(IFLE, ended);
  }

  /** Pushes whether the code continues after the interpreter has executed an instruction. */
  void perform(long instruction, int next) {
    storeTicks();
    out.visitVarInsn(ALOAD, THE_INTERPRETER);
    out.visitVarInsn(ALOAD, THE_COROUTINE);
    out.visitVarInsn(ALOAD, THE_FRAME);
    out.visitLdcInsn(instruction);
    integer(next);
    call(Op.op(instruction) == Op.CALL ? "performCall" : "perform", PERFORM);
  }

  /** Jumps if the performed instruction has not. */
  void ifNextIs(int pc, Label label) {
    out.visitVarInsn(ALOAD, THE_FRAME);
    out.visitFieldInsn(GETFIELD, FRAME, "pc", "I");
    integer(pc);
    out.visitJumpInsn(IF_ICMPEQ, label);
  }

  // Registers

  private static int variable(int register) {
    return FIRST_NUMBER + 2 * register;
  }

  private void index(int register) {
    out.visitVarInsn(ILOAD, BASE);
    integer(register);
    out.visitInsn(IADD);
  }

  private void loadFromArray(int register) {
    out.visitVarInsn(ALOAD, NUMBERS);
    index(register);
    out.visitInsn(DALOAD);
  }

  void value(int register) {
    out.visitVarInsn(ALOAD, VALUES);
    index(register);
    out.visitInsn(AALOAD);
  }

  void number(int register) {
    if (registers.isVariable(register)) out.visitVarInsn(DLOAD, variable(register));
    else loadFromArray(register);
  }

  /** Stores the number on the stack; the register's value stays. */
  void storeNumber(int register) {
    if (registers.isVariable(register)) {
      out.visitVarInsn(DSTORE, variable(register));
      return;
    }
    out.visitVarInsn(DSTORE, A_DOUBLE);
    out.visitVarInsn(ALOAD, NUMBERS);
    index(register);
    out.visitVarInsn(DLOAD, A_DOUBLE);
    out.visitInsn(DASTORE);
  }

  /** Marks a register as a number. */
  void becomesNumber(int register) {
    out.visitVarInsn(ALOAD, VALUES);
    index(register);
    call("setNumber", "(" + OBJECTS + "I)V");
  }

  /** Stores the object in {@link #AN_OBJECT} as a register's value. */
  void storeObject(int register) {
    out.visitVarInsn(ALOAD, VALUES);
    index(register);
    out.visitVarInsn(ALOAD, AN_OBJECT);
    call("set", "(" + OBJECTS + "I" + OBJECT + ")V");
  }

  /** Jumps unless a register holds a number. */
  void unlessNumber(int register, Label label) {
    value(register);
    numberMark();
    out.visitJumpInsn(IF_ACMPNE, label);
  }

  // Constants and fields

  void numberMark() {
    out.visitFieldInsn(GETSTATIC, PACKAGE + "LuaValues", "NUMBER", OBJECT);
  }

  void integer(int value) {
    if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) out.visitIntInsn(SIPUSH, value);
    else out.visitLdcInsn(value);
  }

  void string(LuaString constant) {
    out.visitLdcInsn(new ConstantDynamic("_", STRING, CLASS_DATA, strings.size()));
    strings.add(constant);
  }

  void bool(boolean value) {
    String name = value ? "TRUE" : "FALSE";
    out.visitFieldInsn(GETSTATIC, "java/lang/Boolean", name, "Ljava/lang/Boolean;");
  }

  void globals() {
    out.visitVarInsn(ALOAD, THE_CLOSURE);
    out.visitFieldInsn(GETFIELD, CLOSURE, "globals", "L" + PACKAGE + "LuaTable;");
  }

  /** Pushes a captured variable. */
  void captured(int i) {
    out.visitVarInsn(ALOAD, THE_CLOSURE);
    out.visitFieldInsn(GETFIELD, CLOSURE, "cells", "[L" + CELL + ";");
    integer(i);
    out.visitInsn(AALOAD);
  }

  /** Calls a method of {@link JvmCode}. */
  void call(String method, String descriptor) {
    out.visitMethodInsn(INVOKESTATIC, SUPER, method, descriptor, false);
  }
}
