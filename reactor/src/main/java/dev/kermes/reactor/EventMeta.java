package dev.kermes.reactor;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an event: id, attempt, headers, fencing token and deadline. Events that are
 * emitted without any share {@link #none()}. Immutable: methods with an argument return a copy.
 *
 * <pre>{@code
 * reactor.emit("orders/42", order, EventMeta.none().id("o-42").header("trace", trace));
 * }</pre>
 */
public final class EventMeta {

  /** 292 years: the time that remains without a deadline. */
  private static final Duration ENDLESS = Duration.ofNanos(Long.MAX_VALUE);

  private static final EventMeta NONE = new EventMeta(null, 1, Map.of(), 0, 0, false);

  private final @Nullable String id;
  private final int attempt;
  private final Map<String, String> headers;
  private final long token;

  /** A value of {@link System#nanoTime}, if there is a deadline. */
  private final long deadlineNanos;

  private final boolean hasDeadline;

  private EventMeta(
      @Nullable String id,
      int attempt,
      Map<String, String> headers,
      long token,
      long deadlineNanos,
      boolean hasDeadline) {
    this.id = id;
    this.attempt = attempt;
    this.headers = headers;
    this.token = token;
    this.deadlineNanos = deadlineNanos;
    this.hasDeadline = hasDeadline;
  }

  /** No id, the first attempt, no headers, no token, no deadline. */
  public static EventMeta none() {
    return NONE;
  }

  /** The id that identifies the event when it is repeated; null if it has none. */
  public @Nullable String id() {
    return id;
  }

  /** The same with this id. */
  public EventMeta id(String value) {
    return new EventMeta(value, attempt, headers, token, deadlineNanos, hasDeadline);
  }

  /** Which attempt this is, counted from 1: earlier deliveries by the source, and retries. */
  public int attempt() {
    return attempt;
  }

  /**
   * The same as another attempt.
   *
   * @throws IllegalArgumentException if the attempt is less than 1
   */
  public EventMeta attempt(int value) {
    if (value < 1) throw new IllegalArgumentException("out of range: attempt=" + value);
    return new EventMeta(id, value, headers, token, deadlineNanos, hasDeadline);
  }

  /** All headers; immutable. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The header of this name; null if there is none. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** The same with one header more, or with another value of it. */
  public EventMeta header(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return headers(more);
  }

  /** The same with these headers instead of its own. */
  public EventMeta headers(Map<String, String> all) {
    return new EventMeta(id, attempt, Map.copyOf(all), token, deadlineNanos, hasDeadline);
  }

  /**
   * The fencing token of the owner that delivers the event; 0 if it has none. A later owner has a
   * greater token, so that a resource can refuse an earlier one.
   */
  public long token() {
    return token;
  }

  /** The same with this token. */
  public EventMeta token(long value) {
    return new EventMeta(id, attempt, headers, value, deadlineNanos, hasDeadline);
  }

  /** Whether the event has a deadline; a handler that has not begun by then is not called. */
  public boolean hasDeadline() {
    return hasDeadline;
  }

  /** The time until the deadline, negative after it; 292 years if there is none. */
  public Duration remaining() {
    return hasDeadline ? Duration.ofNanos(deadlineNanos - System.nanoTime()) : ENDLESS;
  }

  /** The same with a deadline, which is this time from now. */
  public EventMeta within(Duration time) {
    return new EventMeta(id, attempt, headers, token, System.nanoTime() + time.toNanos(), true);
  }

  /** Whether the deadline has passed. */
  boolean isLate() {
    return hasDeadline && System.nanoTime() - deadlineNanos >= 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EventMeta meta
        && attempt == meta.attempt
        && token == meta.token
        && hasDeadline == meta.hasDeadline
        && deadlineNanos == meta.deadlineNanos
        && Objects.equals(id, meta.id)
        && headers.equals(meta.headers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(id, attempt, headers, token, deadlineNanos, hasDeadline);
  }

  @Override
  public String toString() {
    return "EventMeta[id=" + id + ", attempt=" + attempt + ", token=" + token + "]";
  }
}
