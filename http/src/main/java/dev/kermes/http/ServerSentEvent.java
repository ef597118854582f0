package dev.kermes.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event for a browser's {@code EventSource}.
 *
 * @param data any text; the client joins its lines again
 * @param name the type of the event; null for {@code message}
 * @param id the value that the client sends as Last-Event-ID when it reconnects; null for none
 * @param retry how long the client waits before it reconnects; null to leave it unchanged
 */
public record ServerSentEvent(
    String data, @Nullable String name, @Nullable String id, @Nullable Duration retry) {

  /** Throws IllegalArgumentException if name or id contains a line break or a NUL. */
  public ServerSentEvent {
    check("name", name);
    check("id", id);
  }

  private static void check(String what, @Nullable String value) {
    if (value != null && value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
      throw new IllegalArgumentException("line break or NUL in an event: field=" + what);
    }
  }

  /** Creates an event that has data only. */
  public static ServerSentEvent of(String data) {
    return new ServerSentEvent(data, null, null, null);
  }

  /** A copy with a name. */
  public ServerSentEvent withName(String other) {
    return new ServerSentEvent(data, other, id, retry);
  }

  /** A copy with an id. */
  public ServerSentEvent withId(String other) {
    return new ServerSentEvent(data, name, other, retry);
  }

  /** A copy with a time after which the client reconnects. */
  public ServerSentEvent withRetry(Duration other) {
    return new ServerSentEvent(data, name, id, other);
  }

  /** The lines of the event, and the empty line that ends it. */
  String text() {
    StringBuilder text = new StringBuilder(data.length() + 32);
    if (name != null) text.append("event: ").append(name).append('\n');
    if (id != null) text.append("id: ").append(id).append('\n');
    if (retry != null) text.append("retry: ").append(retry.toMillis()).append('\n');
    for (String line : data.split("\r\n|\r|\n", -1))
      text.append("data: ").append(line).append('\n');
    return text.append('\n').toString();
  }
}
