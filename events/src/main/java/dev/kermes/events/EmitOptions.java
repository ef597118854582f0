package dev.kermes.events;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an event is emitted. Immutable: methods with an argument return a copy.
 *
 * @param id an id of the emitter's; a second event with the same id within {@code idKept} is not
 *     stored. Null for none
 * @param idKept how long the id is remembered
 * @param delay how long the event waits before it is appended; zero for none
 * @param replicas how many replicas must have the event before it counts as emitted
 * @param replicaTimeout how long to wait for them
 * @param headers texts by name, which handlers find in the event's metadata
 * @param within the time in which a handler must begin, counted from when the event is appended;
 *     null for no deadline
 */
public record EmitOptions(
    @Nullable String id,
    Duration idKept,
    Duration delay,
    int replicas,
    Duration replicaTimeout,
    Map<String, String> headers,
    @Nullable Duration within) {

  private static final EmitOptions NONE =
      new EmitOptions(null, Duration.ofDays(1), Duration.ZERO, 0, Duration.ZERO, Map.of(), null);

  /** Checks the ranges and copies the headers. */
  public EmitOptions {
    if (delay.isNegative() || replicas < 0 || idKept.toMillis() < 1) {
      throw new IllegalArgumentException(
          "out of range: delay=" + delay + ", replicas=" + replicas + ", idKept=" + idKept);
    }
    headers = Map.copyOf(headers);
  }

  /** No id, no delay, no replicas, no headers, no deadline; ids are remembered for a day. */
  public static EmitOptions none() {
    return NONE;
  }

  /** The same with an id: an event with this id is stored once, however often it is emitted. */
  public EmitOptions id(String value) {
    return new EmitOptions(value, idKept, delay, replicas, replicaTimeout, headers, within);
  }

  /** The same with another time for which the id is remembered. */
  public EmitOptions idKept(Duration time) {
    return new EmitOptions(id, time, delay, replicas, replicaTimeout, headers, within);
  }

  /** The same, appended after this time; to about a second, while a member reads the topic. */
  public EmitOptions delay(Duration time) {
    return new EmitOptions(id, idKept, time, replicas, replicaTimeout, headers, within);
  }

  /**
   * The same, emitted only when this many replicas have the event. If they do not have it in time,
   * the future fails with {@link NotReplicatedException}; the event is stored nevertheless.
   */
  public EmitOptions replicated(int count, Duration timeout) {
    return new EmitOptions(id, idKept, delay, count, timeout, headers, within);
  }

  /** The same with one header more, or with another value of it. */
  public EmitOptions header(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return headers(more);
  }

  /** The same with these headers instead of its own. */
  public EmitOptions headers(Map<String, String> all) {
    return new EmitOptions(id, idKept, delay, replicas, replicaTimeout, all, within);
  }

  /** The same with a deadline; an event that no handler has begun by then is a dead letter. */
  public EmitOptions within(Duration time) {
    return new EmitOptions(id, idKept, delay, replicas, replicaTimeout, headers, time);
  }
}
