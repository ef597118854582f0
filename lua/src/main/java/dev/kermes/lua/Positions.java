package dev.kermes.lua;

import dev.kermes.lua.compile.ChunkName;
import dev.kermes.lua.compile.Op;
import dev.kermes.lua.compile.OperandNames;
import dev.kermes.lua.compile.Prototype;
import org.jspecify.annotations.Nullable;

/** Positions in the source; level 1 is the running function. */
final class Positions {

  private Positions() {}

  /**
   * Returns the frame of a level; null beyond the last. Calls that were replaced by tail calls are
   * levels without a frame of their own: {@link #isLost}.
   */
  static @Nullable Frame frame(Coroutine co, int level) {
    int i = index(co, level);
    return i < 0 || isLost(co, level) ? null : co.frames[i];
  }

  private static int index(Coroutine co, int level) {
    int i = co.depth;
    int rest = level - 1;
    while (i >= 0 && rest > co.frames[i].tailCalls) rest -= 1 + co.frames[i--].tailCalls;
    return i;
  }

  /** Whether a level is a call that a tail call has replaced. */
  static boolean isLost(Coroutine co, int level) {
    int i = co.depth;
    int rest = level - 1;
    while (i >= 0 && rest > co.frames[i].tailCalls) rest -= 1 + co.frames[i--].tailCalls;
    return i >= 0 && rest > 0;
  }

  static boolean exists(Coroutine co, int level) {
    return index(co, level) >= 0;
  }

  /** Returns the current line of a frame, or -1 if it is not a Lua function. */
  static int line(@Nullable Frame frame) {
    Prototype code = code(frame);
    return frame == null || code == null ? -1 : code.lines[Math.max(0, frame.pc - 1)];
  }

  private static @Nullable Prototype code(@Nullable Frame frame) {
    if (frame == null || frame.closure == null || frame.closure.code.isNative()) return null;
    return frame.closure.code;
  }

  /** Returns {@code name:line: } of a level, or nothing. */
  static LuaString where(Coroutine co, int level) {
    return where(frame(co, level));
  }

  /** Returns the position of the caller of the library function that contains the running code. */
  static LuaString whereLibraryWasCalled(Coroutine co) {
    int i = co.depth;
    int part = i;
    for (int below = i; below >= 0 && code(co.frames[below]) == null; below--) {
      if (co.frames[below].closure != null) part = below - 1;
    }
    return part < 0 ? LuaString.EMPTY : where(co.frames[part]);
  }

  private static LuaString where(@Nullable Frame frame) {
    Prototype code = code(frame);
    if (code == null) return LuaString.EMPTY;
    return Bytes.join(ChunkName.shown(code.source), LuaString.of(":" + line(frame) + ": "));
  }

  static LuaString prefixed(Coroutine co, int level, String message) {
    return prefixed(co, level, Bytes.text(message));
  }

  static LuaString prefixed(Coroutine co, int level, LuaString message) {
    return Bytes.join(where(co, level), message);
  }

  /** Returns the source of the innermost Lua function. */
  static @Nullable Frame innermost(Coroutine co) {
    for (int i = co.depth; i >= 0; i--) {
      if (code(co.frames[i]) != null) return co.frames[i];
    }
    return null;
  }

  /** Returns the name by which the running instruction calls its function; null if unknown. */
  static OperandNames.@Nullable Name calledName(Coroutine co) {
    Frame frame = co.depth < 0 ? null : co.frame();
    Prototype code = code(frame);
    if (frame == null || code == null || frame.pc == 0) return null;
    int pc = frame.pc - 1;
    return switch (Op.op(code.code[pc])) {
      case Op.CALL, Op.TAILCALL, Op.TFORCALL -> code.name(pc, 0);
      default -> null;
    };
  }
}
