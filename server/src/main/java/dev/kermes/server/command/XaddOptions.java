package dev.kermes.server.command;

import dev.kermes.server.data.RedisStream;
import dev.kermes.server.data.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The options of XADD and XTRIM.
 *
 * @param idArg which argument is the ID of the new entry
 * @param id the new entry's ID; null for {@code *}
 * @param length how many entries to keep; negative if not trimmed to a length
 * @param minId what IDs to keep; null if not trimmed by ID
 * @param limit how many entries an approximate trimming may delete; 0: any number
 */
record XaddOptions(
    boolean onlyExisting,
    int idArg,
    @Nullable EntryId id,
    long length,
    @Nullable StreamId minId,
    boolean isApproximate,
    long limit) {

  private static final long LIMIT_MAX = 1_000_000;
  private static final long LIMIT_UNLIMITED_NODES = 10_000;

  static @Nullable XaddOptions parse(Call call, boolean isXadd) {
    return new Parser(call, isXadd).parse();
  }

  /** Deletes the oldest entries as asked; returns how many. */
  long trim(RedisStream stream) {
    if (minId != null) return stream.trimToMinId(minId, isApproximate, limit);
    return length < 0 ? 0 : stream.trimToLength(length, isApproximate, limit);
  }

  /** Reads one option after the other, up to the ID. */
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

    Parser(Call call, boolean isXadd) {
      this.call = call;
      this.isXadd = isXadd;
    }

    /** Null if a mistake was replied. */
    @Nullable XaddOptions parse() {
      boolean idFound = false;
      while (!idFound && at < call.argc() && !call.failed()) idFound = option();
      if (!call.failed()) checkStrategy();
      if (call.failed()) return null;
      long effective = limit >= 0 ? limit : isApproximate ? defaultLimit() : 0;
      return new XaddOptions(onlyExisting, at, id, length, minId, isApproximate, effective);
    }

    /** Reads one option; whether it was the ID, on which {@code at} then stays. */
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
      } else if (isXadd && call.is(at, "NOMKSTREAM")) {
        onlyExisting = true;
      } else if (isXadd) {
        id = EntryId.parse(call, at, true);
        return true;
      } else {
        call.syntaxError();
      }
      at++;
      return false;
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

    /** Goes to the threshold of a strategy, past {@code =} or {@code ~}. */
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
      } else if (limit >= 0 && !isApproximate) {
        call.error("ERR syntax error, LIMIT cannot be used without the special ~ option");
      }
    }

    private long defaultLimit() {
      long entries = 100L * call.limits().streamNodeMaxEntries;
      return entries <= 0 ? LIMIT_UNLIMITED_NODES : Math.min(entries, LIMIT_MAX);
    }
  }
}
