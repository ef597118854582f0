package dev.kermes.client;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What happens on a subscription, in the order in which it happened. */
public sealed interface SubscriptionEvent {
  /** The server confirmed this channel or pattern; messages published from now on arrive. */
  record Confirmed(String channel) implements SubscriptionEvent {}

  /**
   * A message.
   *
   * @param pattern the pattern that matched, or null when the channel itself was subscribed
   * @param channel where it was published
   * @param payload its bytes, not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is its identity
  record Message(@Nullable String pattern, String channel, byte[] payload)
      implements SubscriptionEvent {
    /** The payload as UTF-8. */
    public String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    /** The payload by its size. */
    @Override
    public String toString() {
      String addressText = pattern == null ? channel : channel + ", pattern=" + pattern;
      return "Message[" + addressText + ", " + payload.length + " bytes]";
    }
  }

  /** The connection went away: messages published from here to {@link Resumed} do not arrive. */
  record Lost(RedisException cause) implements SubscriptionEvent {}

  /** All channels have been confirmed again; messages published from now on arrive. */
  record Resumed() implements SubscriptionEvent {}

  /** The server does not let this client listen to this channel or pattern. */
  record Refused(String channel, ServerErrorException cause) implements SubscriptionEvent {}

  /**
   * The buffer was full and this many messages were dropped: the oldest before all that is left, or
   * the newest where this event stands; see {@link SubscriptionOptions}.
   */
  record Dropped(long count) implements SubscriptionEvent {}
}
