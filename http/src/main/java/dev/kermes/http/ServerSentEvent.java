package dev.kermes.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event for a browser's {@code EventSource}.
 *
 * @param data any text; its lines are put together again by the client
 * @param name the type of the event; null for {@code message}
 * @param id what the client tells in Last-Event-ID when it comes back; null for none
 * @param retry how long the client shall wait before it comes back; null to leave it
 */
public record ServerSentEvent(
    String data, @Nullable String name, @Nullable String id, @Nullable Duration retry) {

  /** Throws IllegalArgumentException for a name or id with a line break, or an id with a NUL. */
  public ServerSentEvent {
    check("name", name);
    check("id", id);
  }

  private static void check(String what, @Nullable String value) {
    if (value != null && value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
      throw new IllegalArgumentException("line break or NUL in an event: field=" + what);
    }
  }

  /** An event of data alone. */
  public static ServerSentEvent of(String data) {
    return new ServerSentEvent(data, null, null, null);
  }

  /** The same with a name. */
  public ServerSentEvent withName(String other) {
    return new ServerSentEvent(data, other, id, retry);
  }

  /** The same with an id. */
  public ServerSentEvent withId(String other) {
    return new ServerSentEvent(data, name, other, retry);
  }

  /** The same with a time after which the client comes back. */
  public ServerSentEvent withRetry(Duration other) {
    return new ServerSentEvent(data, name, id, other);
  }

  /** Its lines, and the empty one that ends it. */
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
