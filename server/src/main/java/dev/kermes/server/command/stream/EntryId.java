package dev.kermes.server.command.stream;

import dev.kermes.server.command.Call;
import dev.kermes.server.data.Slice;
import dev.kermes.server.data.stream.StreamId;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The ID of a stream entry as an argument: {@code millis-sequence}, or {@code millis-*} where a new
 * entry may have any sequence.
 */
record EntryId(StreamId id, boolean hasAnySequence) {

  private static final String INVALID =
      "ERR Invalid stream ID specified as stream command argument";
  private static final int LENGTH_MAX = 127;

  /** Reads an ID, with 0 for a missing sequence; null after replying an error. */
  static @Nullable EntryId parse(Call call, int i, boolean allowsAnySequence) {
    EntryId id = parse(text(call, i, 0), 0, allowsAnySequence);
    if (id == null) call.error(INVALID);
    return id;
  }

  /** Reads IDs; null after replying an error. */
  static StreamId @Nullable [] parseAll(Call call, int from, int count) {
    StreamId[] ids = new StreamId[count];
    for (int i = 0; i < count; i++) {
      EntryId id = parse(call, from + i, false);
      if (id == null) return null;
      ids[i] = id.id();
    }
    return ids;
  }

  /** Whether an argument is an ID, with or without a sequence. */
  static boolean isId(Call call, int i) {
    return parse(text(call, i, 0), 0, false) != null;
  }

  /** Reads an ID that may also be {@code -} or {@code +}; null after replying an error. */
  static @Nullable StreamId parseAnywhere(Call call, int i) {
    if (call.is(i, "-")) return StreamId.MIN;
    if (call.is(i, "+")) return StreamId.MAX;
    EntryId id = parse(call, i, false);
    return id == null ? null : id.id();
  }

  /**
   * Reads the start of a range: {@code -}, {@code id} or {@code (id}; null after replying an error.
   */
  static @Nullable StreamId rangeStart(Call call, int i) {
    StreamId id = bound(call, i, 0);
    if (id == null || !isExclusive(call, i)) return id;
    if (!id.equals(StreamId.MAX)) return id.next();
    call.error("ERR invalid start ID for the interval");
    return null;
  }

  /** Reads the end of a range; a missing sequence is the highest. Null after replying an error. */
  static @Nullable StreamId rangeEnd(Call call, int i) {
    StreamId id = bound(call, i, -1);
    if (id == null || !isExclusive(call, i)) return id;
    if (!id.equals(StreamId.MIN)) return id.previous();
    call.error("ERR invalid end ID for the interval");
    return null;
  }

  private static @Nullable StreamId bound(Call call, int i, long missingSequence) {
    boolean exclusive = isExclusive(call, i);
    if (!exclusive && call.is(i, "-")) return StreamId.MIN;
    if (!exclusive && call.is(i, "+")) return StreamId.MAX;
    EntryId id = parse(text(call, i, exclusive ? 1 : 0), missingSequence, false);
    if (id != null) return id.id;
    call.error(INVALID);
    return null;
  }

  private static boolean isExclusive(Call call, int i) {
    return call.length(i) > 1 && call.slice(i).at(0) == '(';
  }

  private static String text(Call call, int i, int skipped) {
    Slice whole = call.slice(i);
    int from = whole.offset() + skipped;
    int length = Math.min(whole.length() - skipped, LENGTH_MAX + 1);
    return new String(whole.array(), from, length, StandardCharsets.ISO_8859_1);
  }

  private static @Nullable EntryId parse(
      String text, long missingSequence, boolean allowsAnySequence) {
    if (text.length() > LENGTH_MAX) return null;
    int dash = text.indexOf('-');
    Long millis = unsigned(dash < 0 ? text : text.substring(0, dash));
    if (millis == null) return null;
    if (dash < 0) return new EntryId(new StreamId(millis, missingSequence), false);
    String rest = text.substring(dash + 1);
    if (allowsAnySequence && rest.equals("*")) return new EntryId(new StreamId(millis, 0), true);
    Long sequence = unsigned(rest);
    return sequence == null ? null : new EntryId(new StreamId(millis, sequence), false);
  }

  private static @Nullable Long unsigned(String digits) {
    if (digits.isEmpty()) return null;
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The ID for a new entry after {@code last}, with a chosen sequence if it may be any. */
  StreamId after(StreamId last) {
    boolean continues = hasAnySequence && id.millis() == last.millis();
    return continues && last.sequence() != -1 ? last.next() : id;
  }
}
