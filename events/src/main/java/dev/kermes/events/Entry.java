package dev.kermes.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One event as it is in the stream. The fields are
 *
 * <pre>
 *   k  key, without the topic        t  type of the payload      v  payload
 *   d  milliseconds until the deadline, from the entry's time    h:name  a header
 *   g  the only group it is for      n  the only handlers it is for, one per line
 * </pre>
 *
 * @param isGone whether the entry was deleted from the stream, so that only its id is known
 * @param attempt how often it has been delivered, this time included
 * @param origin where this owner has it from
 * @param starts how often owners have begun it again, as far as it was counted
 */
record Entry(
    StreamId id,
    boolean isGone,
    String key,
    String type,
    byte[] payload,
    Map<String, String> headers,
    @Nullable Long deadlineMillis,
    @Nullable String group,
    Set<String> handlers,
    int attempt,
    Origin origin,
    int starts) {

  /** Where an owner has an event from. */
  enum Origin {
    /** The stream; no owner has begun it. */
    STREAM,

    /** An earlier owner, which may have begun it, and may have died of it. */
    EARLIER_OWNER,

    /** The same, and this start of it has been counted. */
    COUNTED,

    /** The lane of a parked key. */
    PARKED
  }

  private static final String HEADER = "h:";
  private static final byte[] NOTHING = {};

  /** The entry of this id and these alternating names and values, or null if it was deleted. */
  static Entry of(String idText, @Nullable List<?> pairs, int attempt) {
    StreamId id = StreamId.parse(idText);
    Map<String, byte[]> fields = new HashMap<>();
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; pairs != null && i + 1 < pairs.size(); i += 2) {
      String name = text(pairs.get(i));
      byte[] value = (byte[]) pairs.get(i + 1);
      if (name.startsWith(HEADER)) headers.put(name.substring(HEADER.length()), text(value));
      else fields.put(name, value);
    }
    return new Entry(
        id,
        pairs == null,
        text(fields.getOrDefault("k", NOTHING)),
        text(fields.getOrDefault("t", NOTHING)),
        fields.getOrDefault("v", NOTHING),
        headers,
        deadline(id, text(fields.get("d"))),
        fields.containsKey("g") ? text(fields.get("g")) : null,
        names(fields.get("n")),
        attempt,
        Origin.STREAM,
        0);
  }

  /** The same for these handlers only, as another attempt. */
  Entry again(Set<String> only) {
    return with(only, attempt + 1, origin, starts);
  }

  /** The same, taken by an earlier owner. */
  Entry ofEarlierOwner(int countedStarts) {
    return with(handlers, attempt, Origin.EARLIER_OWNER, countedStarts);
  }

  /** The same, with this start of it counted. */
  Entry counted() {
    return with(handlers, attempt, Origin.COUNTED, starts);
  }

  /** The same from a lane, for the handlers that failed; all if the lines are empty. */
  Entry parked(String failedHandlers) {
    Set<String> only = failedHandlers.isEmpty() ? handlers : names(failedHandlers.getBytes(UTF_8));
    return with(only, attempt, Origin.PARKED, 0);
  }

  private Entry with(Set<String> only, int newAttempt, Origin from, int countedStarts) {
    return new Entry(
        id,
        isGone,
        key,
        type,
        payload,
        headers,
        deadlineMillis,
        group,
        only,
        newAttempt,
        from,
        countedStarts);
  }

  private static @Nullable Long deadline(StreamId id, String within) {
    return within.matches("\\d{1,15}") ? id.millis() + Long.parseLong(within) : null;
  }

  private static Set<String> names(byte @Nullable [] lines) {
    if (lines == null || lines.length == 0) return Set.of();
    return Set.copyOf(Arrays.asList(text(lines).split("\n", -1)));
  }

  /** A bulk string of a reply. */
  static String text(@Nullable Object bulk) {
    return bulk == null ? "" : new String((byte[]) bulk, UTF_8);
  }
}
