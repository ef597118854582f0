package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/**
 * One active call. Frames of Lua functions have registers from {@link #base} on. The other kinds
 * represent a library function that waits: pcall, xpcall, resume, yield.
 *
 * <p>Reused from call to call.
 */
final class Frame {

  /** The destination of the results when a call ends. */
  enum Then {
    /** The registers from the function's index on. */
    DELIVER,
    /** The target of the waiting instruction in the frame below, for the first result. */
    FINISH_INSTRUCTION,
    /** The same, negated: {@code a <= b} by {@code not (b < a)}. */
    FINISH_NEGATED,
    /** The pcall or xpcall in the frame below. */
    SUCCEED,
    /** The xpcall whose handler this is, as the new value of the error. */
    HANDLE,
    /** The resumer of the coroutine. */
    END
  }

  enum Kind {
    LUA,
    PROTECTED,
    RESUME,
    /** A resume that rethrows errors to its caller. */
    RESUME_WRAPPED,
    YIELD
  }

  Kind kind = Kind.LUA;
  Then then = Then.DELIVER;
  @Nullable LuaClosure closure;

  /** The index of the function, to which results are moved. */
  int function;

  int base;
  int pc;
  int wanted;
  int tailCalls;

  /** Whether it counts as a C call, through which nothing can yield. */
  boolean isBoundary;

  /** In a concatenation that waits for a metamethod: the last remaining register. */
  int pending;

  /** In a protected call: the number of C calls before it, within the coroutine. */
  int nativeDepth;

  /** In xpcall: the handler of the error. */
  @Nullable Object handler;
}
