package dev.kermes.server.command;

import org.jspecify.annotations.Nullable;

/**
 * Indices or ranks from {@code start} to {@code stop}, inclusive; negative ones are from the end.
 */
public record IndexRange(long start, long stop) {

  /** Reads two arguments; null after replying an error. */
  public static @Nullable IndexRange parse(Call call, int startArg) {
    return parse(call, startArg, startArg + 1);
  }

  public static @Nullable IndexRange parse(Call call, int startArg, int stopArg) {
    long start = call.integer(startArg);
    if (call.failed()) return null;
    long stop = call.integer(stopArg);
    return call.failed() ? null : new IndexRange(start, stop);
  }

  /** The first index of a sequence of that size. */
  public long from(long size) {
    return Math.max(0, start < 0 ? start + size : start);
  }

  /** How many indices of a sequence of that size are in the range. */
  public long length(long size) {
    long last = Math.max(-1, Math.min(size - 1, stop < 0 ? stop + size : stop));
    return Math.max(0, last - from(size) + 1);
  }
}
