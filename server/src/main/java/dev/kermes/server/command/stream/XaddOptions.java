package dev.kermes.server.command.stream;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.stream.StreamId;
import dev.kermes.server.data.stream.StreamReferences;
import dev.kermes.server.data.stream.StreamTrim;
import org.jspecify.annotations.Nullable;

/**
 * The options of XADD and XTRIM.
 *
 * @param idArg the argument with the ID of the new entry
 * @param id the new entry's ID; null for {@code *}
 * @param pidArg the argument with the idempotent producer; 0 if there is none
 * @param iidArg the argument with the idempotent ID; 0 to compute it from the fields
 * @param trim the trimming of the stream; null for none
 */
record XaddOptions(
    boolean onlyExisting,
    int idArg,
    @Nullable EntryId id,
    int pidArg,
    int iidArg,
    @Nullable StreamTrim trim) {

  private static final long LIMIT_MAX = 1_000_000;
  private static final long LIMIT_UNLIMITED_NODES = 10_000;

  static @Nullable XaddOptions parse(Call call, boolean isXadd) {
    return new Parser(call, isXadd).parse();
  }

  private static final StreamReferences[] REFERENCES = StreamReferences.values();

  /** The treatment of references that an argument names, or null. */
  static @Nullable StreamReferences references(Call call, int i) {
    for (StreamReferences word : REFERENCES) if (call.is(i, word.name())) return word;
    return null;
  }

  /** Reads the options one after the other, up to the ID. */
  private static final class Parser {

    private final Call call;
    private final boolean isXadd;
    private int at = 2;
    private boolean onlyExisting;
    private @Nullable EntryId id;
    private long length = -1;
    private @Nullable StreamId minId;
    private boolean isApproximate;
    private long limit = -1;
    private @Nullable StreamReferences references;
    private int pidArg;
    private int iidArg;

    Parser(Call call, boolean isXadd) {
      this.call = call;
      this.isXadd = isXadd;
    }

    /** Reads all options; null after replying an error. */
    @Nullable XaddOptions parse() {
      boolean idFound = false;
      while (!idFound && at < call.argc() && !call.failed()) idFound = option();
      if (!call.failed()) checkStrategy();
      if (call.failed()) return null;
      return new XaddOptions(onlyExisting, at, id, pidArg, iidArg, isTrimming() ? trim() : null);
    }

    private StreamTrim trim() {
      boolean isExact =
          call.engine()
              .keyspace()
              .isReplaying(); // the log contains the exact size, whatever the limit
      long effective = isExact ? 0 : limit >= 0 ? limit : isApproximate ? defaultLimit() : 0;
      StreamReferences kept = references == null ? StreamReferences.KEEPREF : references;
      return new StreamTrim(length, minId, isApproximate, effective, kept);
    }

    /** Reads one option; true at the ID, which {@code at} then points to. */
    private boolean option() {
      boolean hasValue = at + 1 < call.argc();
      if (isXadd && call.is(at, "*")) return true;
      if (hasValue && call.is(at, "MAXLEN")) {
        maxLength();
      } else if (hasValue && call.is(at, "MINID")) {
        minId();
      } else if (hasValue && call.is(at, "LIMIT")) {
        limit = call.integer(++at);
        if (!call.failed() && limit < 0) call.error("ERR The LIMIT argument must be >= 0.");
      } else if (references == null && references(call, at) != null) {
        references = references(call, at);
      } else if (isXadd && call.is(at, "NOMKSTREAM")) {
        onlyExisting = true;
      } else if (isXadd && hasValue && call.is(at, "IDMPAUTO")) {
        producer("IDMPAUTO");
      } else if (isXadd && at + 2 < call.argc() && call.is(at, "IDMP")) {
        producer("IDMP");
        iidArg = ++at;
        if (!call.failed() && call.length(at) == 0) mustNotBeEmpty("IDMP", "idempotent ID");
      } else if (isXadd) {
        id = EntryId.parse(call, at, true);
        if (id != null && pidArg != 0) {
          call.error("ERR syntax error, IDMP/IDMPAUTO can be used only with auto-generated IDs");
        }
        return true;
      } else {
        call.syntaxError();
      }
      at++;
      return false;
    }

    private void producer(String option) {
      if (pidArg != 0) call.error("ERR syntax error, IDMP/IDMPAUTO specified multiple times");
      pidArg = ++at;
      if (!call.failed() && call.length(at) == 0) mustNotBeEmpty(option, "producer ID");
    }

    private void mustNotBeEmpty(String option, String what) {
      call.error("ERR syntax error, " + option + " requires a non-empty " + what);
    }

    private void maxLength() {
      if (!threshold()) return;
      length = call.integer(at);
      if (!call.failed() && length < 0) call.error("ERR The MAXLEN argument must be >= 0.");
    }

    private void minId() {
      if (!threshold()) return;
      EntryId least = EntryId.parse(call, at, false);
      if (least != null) minId = least.id();
    }

    /** Moves to the threshold of a strategy, past {@code =} or {@code ~}. */
    private boolean threshold() {
      if (isTrimming()) {
        call.error(
            "ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
        return false;
      }
      boolean hasTwo = at + 2 < call.argc();
      isApproximate = hasTwo && call.is(at + 1, "~");
      at += isApproximate || hasTwo && call.is(at + 1, "=") ? 2 : 1;
      return true;
    }

    private boolean isTrimming() {
      return length >= 0 || minId != null;
    }

    private void checkStrategy() {
      if (limit > 0 && !isTrimming()) {
        call.error("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
      } else if (!isXadd && !isTrimming()) {
        call.error("ERR syntax error, XTRIM must be called with a trimming strategy");
      } else if (limit >= 0 && !isApproximate && !call.engine().keyspace().isReplaying()) {
        call.error("ERR syntax error, LIMIT cannot be used without the special ~ option");
      }
    }

    private long defaultLimit() {
      long entries = 100L * call.limits().streamNodeMaxEntries();
      return entries <= 0 ? LIMIT_UNLIMITED_NODES : Math.min(entries, LIMIT_MAX);
    }
  }
}
