package dev.kermes.client.internal.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kermes.client.SubscriptionEvent;
import dev.kermes.client.SubscriptionOptions;
import dev.kermes.client.SubscriptionOptions.Overflow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventBufferTest {
  private static SubscriptionEvent message(String text) {
    return new SubscriptionEvent.Message(null, text, new byte[0]);
  }

  private static List<String> drained(EventBuffer buffer) {
    List<String> all = new ArrayList<>();
    for (SubscriptionEvent e = buffer.poll(); e != null; e = buffer.poll()) {
      all.add(e instanceof SubscriptionEvent.Message m ? m.channel() : e.toString());
    }
    assertThat(buffer.isEmpty()).isTrue();
    return all;
  }

  @Test
  void dropOldest_countsDropped() {
    EventBuffer buffer = new EventBuffer(new SubscriptionOptions(2, Overflow.DROP_OLDEST));
    for (String text : List.of("a", "b", "c", "d")) buffer.add(message(text));
    assertThat(drained(buffer)).containsExactly("Dropped[count=2]", "c", "d");
    assertThat(buffer.dropped()).isEqualTo(2);
  }

  @Test
  void dropNewest_gapIsAtTheEnd() {
    EventBuffer buffer = new EventBuffer(new SubscriptionOptions(2, Overflow.DROP_NEWEST));
    for (String text : List.of("a", "b", "c", "d")) buffer.add(message(text));
    assertThat(buffer.poll()).isInstanceOf(SubscriptionEvent.Message.class);
    buffer.add(message("e"));
    assertThat(drained(buffer)).containsExactly("b", "Dropped[count=2]", "e");
  }

  @Test
  void dropOldest_keepsStateEvents() {
    EventBuffer buffer = new EventBuffer(new SubscriptionOptions(2, Overflow.DROP_OLDEST));
    buffer.add(new SubscriptionEvent.Confirmed("a"));
    for (String text : List.of("a", "b")) buffer.add(message(text));
    assertThat(drained(buffer)).containsExactly("Dropped[count=1]", "Confirmed[channel=a]", "b");
  }

  @Test
  void stateEvents_areBoundedToo() {
    EventBuffer buffer = new EventBuffer(new SubscriptionOptions(3, Overflow.DROP_NEWEST));
    for (int i = 0; i < 100; i++) buffer.add(new SubscriptionEvent.Resumed());
    assertThat(drained(buffer)).hasSize(3);
  }

  @Test
  void close_refuses() {
    EventBuffer buffer = new EventBuffer(new SubscriptionOptions(1, Overflow.CLOSE));
    assertThat(buffer.add(message("a"))).isTrue();
    assertThat(buffer.add(message("b"))).isFalse();
    buffer.addLast(new SubscriptionEvent.Resumed());
    assertThat(drained(buffer)).containsExactly("a", "Resumed[]");
  }
}
