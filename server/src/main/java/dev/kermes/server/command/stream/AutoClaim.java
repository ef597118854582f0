package dev.kermes.server.command.stream;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.StreamId;
import org.jspecify.annotations.Nullable;

/** The arguments of XAUTOCLAIM after the consumer: {@code min-idle start [COUNT n] [JUSTID]}. */
record AutoClaim(long minIdleMillis, StreamId start, long count, boolean justIds) {

  private static final long COUNT_DEFAULT = 100;
  private static final long COUNT_MAX = Long.MAX_VALUE / 16;

  /** Reads the arguments; null after replying an error. */
  static @Nullable AutoClaim parse(Call call) {
    long minIdle =
        Math.max(0, call.integer(4, "ERR Invalid min-idle-time argument for XAUTOCLAIM"));
    if (call.failed()) return null;
    StreamId start = EntryId.rangeStart(call, 5);
    if (start == null) return null;
    long count = COUNT_DEFAULT;
    boolean justIds = false;
    for (int i = 6; i < call.argc(); i++) {
      if (call.is(i, "COUNT") && i + 1 < call.argc()) {
        count = Arguments.integerOrError(call, ++i, 1, COUNT_MAX, "ERR COUNT must be > 0");
      } else if (call.is(i, "JUSTID")) {
        justIds = true;
      } else {
        call.syntaxError();
      }
      if (call.failed()) return null;
    }
    return new AutoClaim(minIdle, start, count, justIds);
  }
}
