package dev.kermes.server.command.stream;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.StreamId;
import dev.kermes.server.data.stream.StreamReferences;
import org.jspecify.annotations.Nullable;

/**
 * The entries that XDELEX and XACKDEL delete: {@code [KEEPREF|DELREF|ACKED] IDS numids id [id
 * ...]}.
 *
 * @param firstId the argument with the first ID
 */
record EntrySelection(int firstId, int count, StreamReferences references) {

  /** Reads the selection up to the last argument; null after replying an error. */
  static @Nullable EntrySelection parse(Call call, int from) {
    StreamReferences references = null;
    int firstId = 0;
    int count = 0;
    for (int i = from; i < call.argc(); i++) {
      StreamReferences word = XaddOptions.references(call, i);
      if (word != null && references == null) {
        references = word;
      } else if (call.is(i, "IDS") && i + 1 < call.argc()) {
        firstId = i + 2;
        count = count(call, i + 1);
        i = firstId + count - 1;
      } else {
        call.syntaxError();
      }
      if (call.failed()) return null;
    }
    if (firstId == 0) {
      call.error("ERR IDS option is required");
      return null;
    }
    StreamReferences kept = references == null ? StreamReferences.KEEPREF : references;
    return new EntrySelection(firstId, count, kept);
  }

  private static int count(Call call, int i) {
    String message = "ERR Number of IDs must be a positive integer";
    long count = Arguments.integerOrError(call, i, 1, Long.MAX_VALUE, message);
    if (!call.failed() && count > call.argc() - i - 1) {
      call.error("ERR The `numids` parameter must match the number of arguments");
    }
    return (int) count;
  }

  /** The IDs; null after replying an error. */
  StreamId @Nullable [] ids(Call call) {
    return EntryId.parseAll(call, firstId, count);
  }

  /** Replies that none of the IDs exists. */
  void replyNone(Call call) {
    call.reply().array(count);
    for (int i = 0; i < count; i++) call.reply().integer(-1);
  }
}
