package dev.kermes.lua;

import org.jspecify.annotations.Nullable;

/**
 * One call under way. Frames of Lua functions have registers from {@link #base} on; the others
 * stand for a library function that waits: pcall, xpcall, resume, yield.
 *
 * <p>Reused from call to call.
 */
final class Frame {

  /** Where results go when a call ends. */
  enum Then {
    /** To the registers from the function's place on. */
    DELIVER,
    /** The first one to wherever the instruction of the frame below wants it. */
    FINISH_INSTRUCTION,
    /** Likewise, negated: {@code a <= b} by {@code not (b < a)}. */
    FINISH_NEGATED,
    /** To the pcall or xpcall in the frame below. */
    SUCCEED,
    /** To the xpcall whose handler this is, as the error's new value. */
    HANDLE,
    /** To whoever resumed the coroutine. */
    END
  }

  enum Kind {
    LUA,
    PROTECTED,
    RESUME,
    /** A resume whose caller gets errors as errors. */
    RESUME_WRAPPED,
    YIELD
  }

  Kind kind = Kind.LUA;
  Then then = Then.DELIVER;
  @Nullable LuaClosure closure;

  /** The place of the function, to which results go. */
  int function;

  int base;
  int pc;
  int wanted;
  int tailCalls;

  /** Whether it counts as a call of C's, through which nothing yields. */
  boolean isBoundary;

  /** Of a concatenation that waits for a metamethod: the last register that is left. */
  int pending;

  /** Of a protected call: how many calls of C's there were before, within the coroutine. */
  int nativeDepth;

  /** Of xpcall: what is called with the error. */
  @Nullable Object handler;
}
