package dev.kermes.server.command.stream;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The entries that XPENDING lists: {@code [IDLE min-idle] start end count [consumer]}.
 *
 * @param consumerArg the argument with the consumer; 0 for all of them
 */
record PendingRange(long minIdleMillis, StreamId start, StreamId end, long count, int consumerArg) {

  /** Reads the range; null after replying an error. */
  static @Nullable PendingRange parse(Call call) {
    int at = 3;
    long minIdle = 0;
    if (call.is(3, "IDLE")) {
      minIdle = call.integer(4);
      if (call.failed()) return null;
      if (call.argc() < 8) {
        call.syntaxError();
        return null;
      }
      at = 5;
    }
    long count = Math.max(0, call.integer(at + 2));
    if (call.failed()) return null;
    StreamId start = EntryId.rangeStart(call, at);
    if (start == null) return null;
    StreamId end = EntryId.rangeEnd(call, at + 1);
    if (end == null) return null;
    return new PendingRange(minIdle, start, end, count, at + 3 < call.argc() ? at + 3 : 0);
  }
}
