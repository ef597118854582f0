package dev.kermes.client;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An event of a subscription; events arrive in the order in which they happened. */
public sealed interface SubscriptionEvent {
  /** The server confirmed this channel or pattern; messages published from now on arrive. */
  record Confirmed(String channel) implements SubscriptionEvent {}

  /**
   * A message.
   *
   * @param pattern the pattern that matched, or null when the channel itself was subscribed
   * @param channel the channel that it was published on
   * @param payload its bytes, which must not be modified
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is its identity
  record Message(@Nullable String pattern, String channel, byte[] payload)
      implements SubscriptionEvent {
    /** The payload as UTF-8. */
    public String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    /** Gives only the size of the payload. */
    @Override
    public String toString() {
      String topic = pattern == null ? channel : channel + ", pattern=" + pattern;
      return "Message[" + topic + ", " + payload.length + " bytes]";
    }
  }

  /** The connection was lost: messages published from now until {@link Resumed} do not arrive. */
  record Lost(RedisException cause) implements SubscriptionEvent {}

  /** All channels have been confirmed again; messages published from now on arrive. */
  record Resumed() implements SubscriptionEvent {}

  /** The server does not let this client listen to this channel or pattern. */
  record Refused(String channel, ServerErrorException cause) implements SubscriptionEvent {}

  /**
   * The buffer was full and this many messages were dropped: the oldest ones, in front of
   * everything that is left, or the newest ones, at the position of this event; see {@link
   * SubscriptionOptions}.
   */
  record Dropped(long count) implements SubscriptionEvent {}
}
