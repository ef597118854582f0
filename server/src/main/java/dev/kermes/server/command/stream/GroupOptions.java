package dev.kermes.server.command.stream;

import dev.kermes.server.command.Arguments;
import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.ConsumerGroup;
import org.jspecify.annotations.Nullable;

/** The options of XGROUP CREATE and SETID. */
record GroupOptions(boolean makesStream, long entriesRead) {

  /** Reads the options after the ID; null after replying an error. */
  static @Nullable GroupOptions parse(Call call, boolean mayMakeStream) {
    boolean makesStream = false;
    long entriesRead = ConsumerGroup.UNKNOWN;
    for (int i = 5; i < call.argc(); i++) {
      if (mayMakeStream && call.is(i, "MKSTREAM")) {
        makesStream = true;
      } else if (call.is(i, "ENTRIESREAD") && i + 1 < call.argc()) {
        entriesRead = call.integer(++i);
        if (!call.failed() && entriesRead < ConsumerGroup.UNKNOWN) {
          call.error("ERR value for ENTRIESREAD must be positive or -1");
        }
      } else {
        Arguments.subcommandMistake(call);
      }
      if (call.failed()) return null;
    }
    return new GroupOptions(makesStream, entriesRead);
  }
}
